import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo

/// Names for coordinates, in a world that is made up.
@Suite struct GeocoderTests {
    /// A rectangle between two corners.
    static func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> [Coordinate] {
        [(south, west), (south, east), (north, east), (north, west), (south, west)]
            .map { Coordinate(latitude: $0.0, longitude: $0.1) }
    }

    static func place(
        _ name: String, _ latitude: Double, _ longitude: Double, _ country: String, population: Int = 0,
        region: String? = nil
    ) -> GeocoderBuilder.Place {
        GeocoderBuilder.Place(
            name: name, coordinate: Coordinate(latitude: latitude, longitude: longitude), country: country,
            population: population, region: region)
    }

    /// A database in a file.
    static func geocoder(_ folder: TemporaryDirectory, _ build: (inout GeocoderBuilder) -> Void) throws
        -> OfflineGeocoder
    {
        var builder = GeocoderBuilder()
        build(&builder)
        try builder.write(to: folder.file("geocoder.db"))
        return try OfflineGeocoder(path: folder.file("geocoder.db"))
    }

    /// What is found at a coordinate.
    private static func names(_ geocoder: OfflineGeocoder, _ latitude: Double, _ longitude: Double) -> [String?]? {
        geocoder.placemark(at: Coordinate(latitude: latitude, longitude: longitude)).map {
            [$0.countryCode, $0.regionCode, $0.locality]
        }
    }

    @Test func `a coordinate has the country and the region around it, and the nearest place in the country`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(.init(country: "DK", region: "DK-84", rings: [Self.box(50, 10, 51, 11)]))
            builder.add(.init(country: "DK", region: "DK-85", rings: [Self.box(51, 10, 52, 11)]))
            builder.add(.init(country: "SE", rings: [Self.box(50, 11, 52, 12)]))
            builder.add(Self.place("Westport", 50.5, 10.9, "DK"))
            builder.add(Self.place("Eastport", 50.5, 11.001, "SE"))
            var town = Self.place("Hill", 51.5, 10.5, "DK")
            town.timeZone = "Europe/Copenhagen"
            builder.add(town)
            builder.add(.init(code: "1234", coordinate: Coordinate(latitude: 51.51, longitude: 10.5), country: "DK"))
            builder.add(.init(code: "9999", coordinate: Coordinate(latitude: 51.5, longitude: 10.5), country: "SE"))
        }
        // A metre from the border.
        #expect(Self.names(geocoder, 50.5, 10.99999) == ["DK", "DK-84", "Westport"])
        #expect(Self.names(geocoder, 50.5, 11.00001) == ["SE", nil, "Eastport"])
        #expect(Self.names(geocoder, 50.99999, 10.5) == ["DK", "DK-84", nil])
        let hill = try #require(geocoder.placemark(at: Coordinate(latitude: 51.5, longitude: 10.5)))
        #expect(hill.locality == "Hill" && hill.timeZone == "Europe/Copenhagen" && hill.regionCode == "DK-85")
        #expect(hill.postalCode == "1234" && hill.continentCode == "EU")
    }

    @Test func `where no polygon has a region, it is that of the town, unless the town is in another polygon`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(.init(country: "DK", rings: [Self.box(50, 10, 51, 11)]))
            builder.add(.init(country: "DK", region: "DK-85", rings: [Self.box(51, 10, 52, 11)]))
            builder.add(Self.place("South", 50.5, 10.5, "DK", region: "DK-84"))
            builder.add(Self.place("Unknown", 50.2, 10.5, "DK"))
            builder.add(Self.place("North", 51.01, 10.5, "DK", region: "DK-81"))
            builder.add(Self.place("Island", 53, 10.5, "DK", region: "DK-83"))
        }
        #expect(Self.names(geocoder, 50.51, 10.5) == ["DK", "DK-84", "South"])
        // Too far away for a town.
        #expect(Self.names(geocoder, 50.65, 10.5) == ["DK", nil, nil])
        #expect(Self.names(geocoder, 50.21, 10.5) == ["DK", nil, "Unknown"])
        // The polygon around a place has priority over the table, and its region ends with it.
        #expect(Self.names(geocoder, 51.02, 10.5) == ["DK", "DK-85", "North"])
        #expect(Self.names(geocoder, 50.99, 10.5) == ["DK", nil, "North"])
        // Outside of all polygons.
        #expect(Self.names(geocoder, 53.01, 10.5) == ["DK", "DK-83", "Island"])
    }

    @Test func `a city is preferred to a hamlet that is a little nearer`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(.init(country: "DK", rings: [Self.box(50, 10, 51, 11)]))
            builder.add(Self.place("City", 50.5, 10.5, "DK", population: 1_000_000))
            builder.add(Self.place("Hamlet", 50.55, 10.5, "DK", population: 30))
            builder.add(Self.place("Village", 50.64, 10.5, "DK", population: 900))
        }
        #expect(Self.names(geocoder, 50.54, 10.5)?.last == "City")
        #expect(Self.names(geocoder, 50.63, 10.5)?.last == "Village")
    }

    @Test func `a place more than ten kilometres away is not the town, a large city around it is`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(.init(country: "DK", rings: [Self.box(50, 10, 52, 12)]))
            builder.add(Self.place("Village", 50.5, 10.5, "DK", population: 0))
            builder.add(Self.place("City", 51.5, 11.5, "DK", population: 1_000_000))
        }
        // A tenth of a degree is 11.1 km.
        #expect(Self.names(geocoder, 50.59, 10.5) == ["DK", nil, nil])
        #expect(Self.names(geocoder, 50.59 - 0.005, 10.5)?.last == "Village")
        #expect(Self.names(geocoder, 51.69, 11.5)?.last == "City")
        #expect(Self.names(geocoder, 51.7, 11.5) == ["DK", nil, nil])
    }

    @Test func `a batch has the names that each coordinate has alone, in their order`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            for step in 0..<20 {
                let west = Double(step) * 0.6
                builder.add(
                    .init(country: "DK", region: "DK-8\(step % 5)", rings: [Self.box(50, west, 51, west + 0.5)]))
                builder.add(Self.place("Town \(step)", 50.5, west, "DK"))
            }
        }
        var random = SeededGenerator(seed: 1)
        for count in [0, 1, 1_024, 5_000] {
            let coordinates = (0..<count).map { _ in
                Coordinate(
                    latitude: .random(in: 49...52, using: &random), longitude: .random(in: -1...13, using: &random))
            }
            let found = geocoder.placemarks(at: coordinates)
            #expect(found == coordinates.map { geocoder.placemark(at: $0) })
            #expect(count < 1_000 || Set(found.map { $0?.locality }).count > 10)
        }
    }

    @Test func `an enclave is a separate country, and so is an area within it`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(
                .init(country: "IT", rings: [Self.box(40, 10, 44, 14), Self.box(41, 11, 43, 13)]))
            // An exclave in the enclave, and rings in the other direction.
            builder.add(
                .init(country: "SM", rings: [Self.box(41, 11, 43, 13).reversed(), Self.box(41.9, 11.9, 42.1, 12.1)]))
            builder.add(.init(country: "IT", rings: [Self.box(41.9, 11.9, 42.1, 12.1).reversed()]))
        }
        #expect(Self.names(geocoder, 40.5, 12)?.first == "IT")
        #expect(Self.names(geocoder, 41.5, 12)?.first == "SM")
        #expect(Self.names(geocoder, 42, 12)?.first == "IT")
    }

    @Test func `a country may cross the antimeridian, and the nearest place may be beyond it`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(
                .init(country: "FJ", rings: [Self.box(-20, 178, -15, 180), Self.box(-20, -180, -15, -178)]))
            builder.add(Self.place("East", -17, -179.99, "FJ"))
        }
        for longitude in [179.99, 180, -180, -179.5] {
            #expect(Self.names(geocoder, -17, longitude)?.first == "FJ", "\(longitude)")
        }
        #expect(Self.names(geocoder, -17, 179.95)?.last == "East")
        #expect(Self.names(geocoder, -17, -177.9) == nil)
    }

    @Test func `there are countries up to the poles`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(.init(country: "AQ", rings: [Self.box(-90, -180, -70, 180)]))
            builder.add(Self.place("Station", -89.99, 0, "AQ"))
        }
        #expect(Self.names(geocoder, -90, 0) == ["AQ", nil, "Station"])
        #expect(Self.names(geocoder, -90, 180)?.first == "AQ")
        #expect(Self.names(geocoder, -89.995, 120)?.last == "Station")
        #expect(Self.names(geocoder, -69.9, 12) == nil)
        #expect(Self.names(geocoder, 90, 0) == nil)
        #expect(Self.names(geocoder, .nan, 0) == nil && Self.names(geocoder, 91, 0) == nil)
    }

    @Test func `at sea the country is that of the nearest place within 50 km, and there is none further away`() throws {
        let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
            builder.add(.init(country: "MT", region: "MT-01", rings: [Self.box(35.9, 14.4, 36, 14.5)]))
            builder.add(Self.place("Harbour", 35.95, 14.49, "MT"))
        }
        #expect(Self.names(geocoder, 35.95, 14.55) == ["MT", "MT-01", "Harbour"])
        #expect(Self.names(geocoder, 35.95, 14.9) == ["MT", "MT-01", nil])
        #expect(Self.names(geocoder, 35.95, 15.1) == nil)
    }

    // MARK: Against simpler ways

    /// A ring around a centre, of any outline.
    private static func star(
        _ latitude: Double, _ longitude: Double, _ random: inout SeededGenerator
    ) -> [Coordinate] {
        let count = Int.random(in: 3...40, using: &random)
        let size = Double.random(in: 0.05...8, using: &random)
        return (0..<count).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            let radius = size * Double.random(in: 0.2...1, using: &random)
            return Coordinate(
                latitude: max(-90, min(90, latitude + radius * sin(angle))),
                longitude: max(-180, min(180, longitude + radius * cos(angle))))
        }
    }

    /// Whether an odd number of edges is west of a place: of all edges, not only of those near it.
    private static func isInside(_ place: Coordinate, _ rings: [[Coordinate]]) -> Bool {
        var isInside = false
        for ring in rings {
            for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                guard (one.latitude > place.latitude) != (other.latitude > place.latitude) else { continue }
                let share = (place.latitude - one.latitude) / (other.latitude - one.latitude)
                if one.longitude + share * (other.longitude - one.longitude) < place.longitude { isInside.toggle() }
            }
        }
        return isInside
    }

    @Test func `shapes of any outline agree with an even-odd test of all edges`() throws {
        var random = SeededGenerator(seed: 19)
        for round in 0..<12 {
            let (latitude, longitude) = (
                Double.random(in: -89...89, using: &random), Double.random(in: -179...179, using: &random)
            )
            let rings = [Self.star(latitude, longitude, &random), Self.star(latitude + 0.3, longitude, &random)]
            let geocoder = try Self.geocoder(TemporaryDirectory()) { $0.add(.init(country: "XK", rings: rings)) }
            for _ in 0..<300 {
                let place = Coordinate(
                    latitude: max(-89.9, min(89.9, latitude + Double.random(in: -9...9, using: &random))),
                    longitude: max(-179.9, min(179.9, longitude + Double.random(in: -9...9, using: &random))))
                let isFound = geocoder.placemark(at: place) != nil
                #expect(isFound == Self.isInside(place, rings), "round \(round): \(place)")
            }
        }
    }

    @Test func `the nearest place is found among many`() throws {
        var random = SeededGenerator(seed: 20)
        for latitude in [0.0, 60, -85] {
            let places = (0..<400).map { index in
                Self.place(
                    "\(index)", latitude + Double.random(in: -0.5...0.5, using: &random),
                    Double.random(in: -1...1, using: &random), "DK")
            }
            let geocoder = try Self.geocoder(TemporaryDirectory()) { builder in
                builder.add(.init(country: "DK", rings: [Self.box(latitude - 1, -2, latitude + 1, 2)]))
                for place in places { builder.add(place) }
            }
            for _ in 0..<40 {
                let here = Coordinate(
                    latitude: latitude + Double.random(in: -0.7...0.7, using: &random),
                    longitude: Double.random(in: -1.5...1.5, using: &random))
                let distances = places.map { Geodesy.distance($0.coordinate, here) }
                let nearest = try #require(distances.min())
                let found = geocoder.placemark(at: here)?.locality
                if let found, let index = Int(found) {
                    #expect(distances[index] <= nearest * 1.02, "\(here)")
                } else {
                    #expect(nearest > 9_900, "\(here)")
                }
            }
        }
    }

    // MARK: Files

    @Test func `a damaged file gives wrong names or none, and does not crash`() throws {
        let folder = TemporaryDirectory()
        _ = try Self.geocoder(folder) { builder in
            builder.notes = "made up"
            for step in 0..<20 {
                let west = Double(step) * 0.6
                builder.add(
                    .init(country: "DK", region: "DK-8\(step % 5)", rings: [Self.box(50, west, 51, west + 0.5)]))
                builder.add(Self.place("Town \(step)", 50.5, west, "DK", population: step * 1_000))
                builder.add(
                    .init(code: "\(step)", coordinate: Coordinate(latitude: 50.5, longitude: west), country: "DK"))
            }
        }
        // The header, and of each section the part that the lookups below use; the cells are most of the file.
        let file = open(folder.file("geocoder.db"), O_RDWR | O_CLOEXEC)
        defer { close(file) }
        var places = Array(0..<off_t(GeocoderFormat.dataOffset))
        for section in GeocoderFormat.Section.allCases {
            var entry = [UInt64](repeating: 0, count: 2)
            pread(file, &entry, 16, off_t(GeocoderFormat.tableOffset + 16 * section.rawValue))
            let isCells = [.placeCells, .shapeCells, .codeCells].contains(section)
            let first = isCells ? 4 * (562 * GeocoderGrid.columns + 718) : 0
            places += off_t(entry[0]) + off_t(first)..<off_t(entry[0]) + off_t(first + (isCells ? 240 : 500))
        }
        var random = SeededGenerator(seed: 21)
        for _ in 0..<400 {
            var before: [(place: off_t, byte: UInt8)] = []
            for place in places.shuffled(using: &random).prefix(Int.random(in: 1...40, using: &random)) {
                var byte: UInt8 = 0
                guard pread(file, &byte, 1, place) == 1 else { continue }
                before.append((place, byte))
                byte = UInt8.random(in: 0...255, using: &random)
                pwrite(file, &byte, 1, place)
            }
            if let geocoder = try? OfflineGeocoder(path: folder.file("geocoder.db")) {
                for step in 0..<40 {
                    _ = geocoder.placemark(at: Coordinate(latitude: 50.5, longitude: Double(step) * 0.3))
                }
                _ = geocoder.notes
            }
            for (place, byte) in before {
                var byte = byte
                pwrite(file, &byte, 1, place)
            }
        }
        let whole = try OfflineGeocoder(path: folder.file("geocoder.db"))
        #expect(Self.names(whole, 50.5, 6.1) == ["DK", "DK-80", "Town 10"])
    }

    @Test func `a file that is not a database, or has another version, is rejected`() throws {
        let folder = TemporaryDirectory()
        func refusal(_ bytes: [UInt8]) throws -> String? {
            try folder.write(bytes, to: "bad.db")
            let error = #expect(throws: OfflineGeocoder.OpenError.self) {
                try OfflineGeocoder(path: folder.file("bad.db"))
            }
            return error?.description.replacing(folder.file("bad.db"), with: "FILE")
        }
        _ = try Self.geocoder(folder) { $0.add(Self.place("Town", 1, 2, "DK")) }
        let whole = try folder.bytes("geocoder.db")
        #expect(try refusal([]) == "FILE is not a geocoder database")
        #expect(try refusal(Array("SQLite format 3".utf8) + whole.dropFirst(15)) == "FILE is not a geocoder database")
        #expect(try refusal(whole.dropLast()) == "FILE is truncated; build it again")
        var other = whole
        other[8] = 2
        #expect(try refusal(other) == "FILE has version 2, and only 1 can be read; build it again")
        let missing = #expect(throws: OfflineGeocoder.OpenError.self) { try OfflineGeocoder(path: "/nowhere/x.db") }
        #expect(missing?.description == "open /nowhere/x.db: No such file or directory")
    }

    @Test func `a replaced database stays unchanged for programs that have it open`() throws {
        let folder = TemporaryDirectory()
        let before = try Self.geocoder(folder) { $0.add(Self.place("Before", 1, 2, "DK")) }
        let after = try Self.geocoder(folder) { $0.add(Self.place("After", 1, 2, "DK")) }
        #expect(Self.names(before, 1, 2)?.last == "Before" && Self.names(after, 1, 2)?.last == "After")
        #expect(folder.names == ["geocoder.db"])
    }
}
