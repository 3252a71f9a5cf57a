/// The postal codes of a geocoder's file, by cell.
struct GeocoderCodes {
    private(set) var entries: [UInt8] = []
    private(set) var cells: [UInt8]

    init(_ codes: [GeocoderBuilder.PostalCode], _ tables: inout GeocoderTables) {
        let sorted = GeocoderCells(codes.map { GeocoderGrid.units($0.coordinate) })
        cells = sorted.starts
        for index in sorted.order {
            entries.append(point: GeocoderGrid.units(codes[index].coordinate))
            entries.append(number: tables.string(codes[index].code))
            entries.append(number: tables.country(codes[index].country))
            entries.append(number: UInt16(0))
        }
    }
}
