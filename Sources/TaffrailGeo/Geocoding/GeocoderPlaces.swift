/// The places of a geocoder's file, by cell.
struct GeocoderPlaces {
    private(set) var entries: [UInt8] = []
    private(set) var cells: [UInt8]

    init(_ places: [GeocoderBuilder.Place], _ shapes: GeocoderShapes, _ tables: inout GeocoderTables) {
        let sorted = GeocoderCells(places.map { GeocoderGrid.units($0.coordinate) })
        cells = sorted.starts
        entries.reserveCapacity(places.count * GeocoderFormat.Section.places.stride)
        for index in sorted.order {
            let place = places[index]
            let point = GeocoderGrid.units(place.coordinate)
            let country = tables.country(place.country)
            entries.append(point: point)
            entries.append(number: tables.string(place.name))
            entries.append(number: UInt32(clamping: place.population))
            entries.append(number: country)
            let region = shapes.region(at: point, in: country)
            entries.append(number: region != GeocoderFormat.none16 ? region : tables.region(place.region, of: country))
            entries.append(number: place.timeZone.map { tables.string($0) } ?? GeocoderFormat.none32)
        }
    }
}
