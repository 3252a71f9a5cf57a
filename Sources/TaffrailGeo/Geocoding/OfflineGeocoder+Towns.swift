internal import Taffrail

extension OfflineGeocoder {
    /// A place with a name, for a map.
    package struct Town: Sendable, Hashable {
        package var name: String
        package var coordinate: Coordinate
        /// The number of inhabitants; 0 if unknown.
        package var population: Int
    }

    /// Returns the most populous places in a box, the largest first. Any thread may call; takes some milliseconds for
    /// the whole world.
    package func towns(in box: CoordinateBox, limit: Int) -> [Town] {
        guard limit > 0 else { return [] }
        let (low, high) = (GeocoderGrid.units(box.southWest), GeocoderGrid.units(box.northEast))
        let (west, east) = (GeocoderGrid.column(low.x), GeocoderGrid.column(high.x))
        let isAcross = box.southWest.longitude > box.northEast.longitude
        let columns = isAcross ? [0...east, west...GeocoderGrid.columns - 1] : [west...max(west, east)]
        var found: [(people: UInt32, number: Int)] = []
        // Places with fewer inhabitants are not among the largest.
        var least: UInt32 = 0
        func keepGreatest() {
            found.sort { ($0.people, $1.number) > ($1.people, $0.number) }
            guard found.count >= limit else { return }
            found.removeSubrange(limit...)
            least = found[limit - 1].people
        }
        let south = GeocoderGrid.row(low.y)
        for row in south...max(south, GeocoderGrid.row(high.y)) {
            for part in columns {
                let first = row * GeocoderGrid.columns
                for number in sections.entries(
                    .placeCells, first + part.lowerBound, upTo: first + part.upperBound, of: .places)
                {
                    let people = sections.load(UInt32.self, .places, number, at: 12)
                    guard people >= least, box.contains(coordinate(ofPlace: number)) else { continue }
                    found.append((people, number))
                    if found.count >= 4 * limit { keepGreatest() }
                }
            }
        }
        keepGreatest()
        return found.compactMap { people, number in
            sections.string(sections.load(UInt32.self, .places, number, at: 8)).map {
                Town(name: $0, coordinate: coordinate(ofPlace: number), population: Int(people))
            }
        }
    }

    private func coordinate(ofPlace number: Int) -> Coordinate {
        let point = GridPoint(sections.pointer(.places, number..<number + 1))
        return Coordinate(latitude: Double(point.y) / 1e6, longitude: Double(point.x) / 1e6)
    }
}
