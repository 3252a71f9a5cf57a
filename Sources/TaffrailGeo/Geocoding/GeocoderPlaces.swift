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

/// The order of points by cell, and the start of each cell.
struct GeocoderCells {
    private(set) var order: [Int]
    /// A number for each cell and one more, as in the file.
    private(set) var starts: [UInt8]

    init(_ points: [GridPoint]) {
        let cells = points.map { GeocoderGrid.cell(of: $0) }
        order = cells.indices.sorted { (cells[$0], $0) < (cells[$1], $1) }
        var counts: [(cell: Int, count: Int)] = []
        for index in order {
            if counts.last?.cell != cells[index] { counts.append((cells[index], 0)) }
            counts[counts.count - 1].count += 1
        }
        starts = Self.starts(counts)
    }

    /// The start of each cell, given the number of entries of the non-empty cells in order.
    static func starts(_ counts: [(cell: Int, count: Int)]) -> [UInt8] {
        let starts = [UInt32](unsafeUninitializedCapacity: GeocoderGrid.cells + 1) { room, written in
            var sum: UInt32 = 0
            func fill(to end: Int) {
                room[written..<end].initialize(repeating: sum.littleEndian)
                written = end
            }
            for (cell, count) in counts {
                fill(to: cell + 1)
                sum += UInt32(count)
            }
            fill(to: GeocoderGrid.cells + 1)
        }
        return starts.withUnsafeBytes { Array($0) }
    }
}
