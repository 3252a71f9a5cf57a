import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo

/// The names of places that a map shows.
@Suite struct GeocoderTownTests {
    @Test func `the towns of a box are those with the most people, the largest first`() throws {
        let geocoder = try GeocoderTests.geocoder(TemporaryDirectory()) { builder in
            for number in 0..<40 {
                builder.add(
                    GeocoderTests.place(
                        "Town \(number)", 50 + Double(number % 7), 10 + Double(number), "DK", population: number * 100))
            }
            builder.add(GeocoderTests.place("West", 0, -179.9, "FJ", population: 5))
            builder.add(GeocoderTests.place("East", 0, 179.9, "FJ", population: 6))
        }
        func names(_ south: Double, _ west: Double, _ north: Double, _ east: Double, limit: Int = 3) -> [String] {
            let box = CoordinateBox(
                southWest: Coordinate(latitude: south, longitude: west),
                northEast: Coordinate(latitude: north, longitude: east))
            return geocoder.towns(in: box, limit: limit).map(\.name)
        }
        #expect(names(-90, -180, 90, 180) == ["Town 39", "Town 38", "Town 37"])
        #expect(names(-90, -180, 90, 180, limit: 1) == ["Town 39"] && names(-90, -180, 90, 180, limit: 0).isEmpty)
        #expect(names(-90, -180, 90, 180, limit: 100).count == 42)
        // A cell of the grid is larger than this box.
        #expect(names(50.9, 14.9, 55.1, 15.05) == ["Town 5"] && names(50.9, 15.01, 55.1, 15.05).isEmpty)
        #expect(names(-1, 179, 1, -179) == ["East", "West"] && names(-1, -179, 1, 179).isEmpty)
        let place = try #require(
            geocoder.towns(
                in: CoordinateBox(
                    southWest: Coordinate(latitude: -1, longitude: 179),
                    northEast: Coordinate(latitude: 1, longitude: 180)), limit: 1
            ).first)
        #expect(abs(place.coordinate.longitude - 179.9) < 1e-5 && place.population == 6)
    }
}
