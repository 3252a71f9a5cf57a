#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// The distances of visits, trips and odometer, against those of another program.
@Suite(
    .mayBlock, .enabled(if: Program.areThere("GeodSolve"), "GeodSolve is not installed (geographiclib-tools)"))
struct StoreDistanceTests {
    /// The distances between places by GeodSolve, in metres.
    private func distances(_ pairs: [(Coordinate, Coordinate)]) throws -> [Double] {
        let input = pairs.map { pair in
            [pair.0.latitude, pair.0.longitude, pair.1.latitude, pair.1.longitude]
                .map { String(format: "%.9f", $0) }.joined(separator: " ")
        }
        let output = try Program.run(["-i", "-p", "6"], of: "GeodSolve", input: input.joined(separator: "\n")).output
        let found = output.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
        try #require(found.count == pairs.count)
        return found
    }

    @Test func `short distances between stored places agree with GeodSolve to a hundredth of a per cent`() throws {
        var generator = SeededGenerator(seed: 4)
        let pairs = (0..<3_000).map { _ in
            let start = Coordinate(
                latitude: .random(in: -75...75, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
            let end = Geodesy.destination(
                from: start, bearing: .random(in: 0..<360, using: &generator),
                distance: .random(in: 1...10_000, using: &generator))
            return (start, end)
        }
        for (pair, expected) in zip(pairs, try distances(pairs)) {
            let found = ScaledCoordinate(pair.0).distance(to: ScaledCoordinate(pair.1))
            // Rounded coordinates are up to 8 mm off, each.
            #expect(abs(found - expected) <= expected * 1e-4 + 0.016, "\(pair): \(found), not \(expected)")
        }
    }

    @Test(arguments: [0.0, 55, -70])
    func `the length of a straight trip agrees with GeodSolve to a thousandth`(latitude: Double) throws {
        let folder = TemporaryDirectory()
        let start = Coordinate(latitude: latitude, longitude: 179.9)
        // Ten minutes there, half an hour at 20 m/s across the 180th meridian, ten minutes here.
        let points = (0..<3_000).map { second in
            let place = Geodesy.destination(
                from: start, bearing: 57, distance: Double(min(1_800, max(0, second - 600))) * 20)
            return TrackPoint(
                timestamp: Timestamp(nanoseconds: Points.start + Int64(second) * 1_000_000_000), lat: place.latitude,
                lon: place.longitude, hAcc: 4, device: "ferry", session: "one")
        }
        try folder.store.save(points)
        let expected = try distances([(points[0].coordinate, points[2_999].coordinate)])[0]
        let journeys = try folder.reader.journeys()
        #expect(journeys.trips.count == 1 && abs(expected - 36_000) < 0.1)
        #expect(abs(journeys.odometer / expected - 1) < 1e-3, "\(journeys.odometer), not \(expected)")
    }
}
#endif
