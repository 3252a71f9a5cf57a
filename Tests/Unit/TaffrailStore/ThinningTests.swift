#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTracks
import Testing

@testable import TaffrailStore

@Suite(.mayBlock) struct ThinningTests {
    /// A way with turns, straight parts and noise, also at high latitudes and across the 180th meridian.
    private func way(_ count: Int, from start: Coordinate, step: Double) -> [Coordinate] {
        var generator = SeededGenerator(seed: 7)
        var place = start
        var bearing = 40.0
        return (0..<count).map { index in
            if index % 50 == 0 { bearing += Double.random(in: -120...120, using: &generator) }
            place = Geodesy.destination(from: place, bearing: bearing, distance: step)
            return Geodesy.destination(
                from: place, bearing: Double.random(in: 0..<360, using: &generator),
                distance: Double.random(in: 0...2, using: &generator))
        }
    }

    @Test(arguments: [
        Coordinate(latitude: 55, longitude: 12), Coordinate(latitude: -33, longitude: 179.99),
        Coordinate(latitude: 78, longitude: -179.9), Coordinate(latitude: 0, longitude: 0),
    ])
    func `no removed point is farther from the line than the tolerance`(start: Coordinate) {
        for (step, tolerance) in [(10.0, 5.0), (10, 50), (2_000, 100)] {
            let points = way(600, from: start, step: step)
            let kept = TrackSimplification.indices(points, tolerance: tolerance)
            #expect(kept.first == 0 && kept.last == 599 && kept.count < 400, "\(kept.count)")
            for (one, two) in zip(kept, kept.dropFirst()) {
                for index in stride(from: one + 1, to: two, by: 2) {
                    let away = Straight.distance(points[index], points[one], points[two], enough: tolerance)
                    #expect(away <= tolerance, "\(away) at \(index)")
                }
            }
        }
    }

    @Test(arguments: [(60.0, 90.0), (-78, 270), (55, 45), (70, 180), (-83, 0), (30, 100)])
    func `long straight ways keep the tolerance too, where parallels and meridians are no straight lines`(
        latitude: Double, bearing: Double
    ) {
        // At a constant course, each fourth point as far beside it as may be.
        let tolerance = 5.0
        let start = Coordinate(latitude: latitude, longitude: 12)
        var place = start
        let points = (0..<400).map { index in
            place = Coordinate(
                latitude: place.latitude + cos(bearing * .pi / 180) * 1e-3,
                longitude: place.longitude + sin(bearing * .pi / 180) * 1e-3 / cos(place.latitude * .pi / 180))
            return index % 4 == 2 ? Geodesy.destination(from: place, bearing: bearing + 90, distance: 4.985) : place
        }
        let kept = TrackSimplification.indices(points, tolerance: tolerance)
        #expect(kept.count < 300, "\(kept.count)")
        for (one, two) in zip(kept, kept.dropFirst()) where two - one > 1 {
            for index in one + 1..<two {
                let away = Straight.distance(points[index], points[one], points[two], enough: tolerance)
                #expect(away <= tolerance, "\(away) at \(index)")
            }
        }
    }

    @Test func `few points, equal ones and senseless tolerances are taken as they are`() {
        let place = Coordinate(latitude: 1, longitude: 1)
        #expect(TrackSimplification.indices([], tolerance: 1) == [])
        #expect(TrackSimplification.indices([place, place], tolerance: 1) == [0, 1])
        #expect(TrackSimplification.indices(Array(repeating: place, count: 100), tolerance: 1) == [0, 99])
        let points = way(100, from: place, step: 10)
        #expect(TrackSimplification.indices(points, tolerance: .nan).count == 100)
        #expect(TrackSimplification.indices(points, tolerance: -1).count == 100)
    }

    @Test func `old days are thinned once, with their blocks and sessions, and others are unchanged`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        let places = way(5_000, from: Coordinate(latitude: 55, longitude: 12), step: 5)
        func points(_ day: Int64, _ device: String) -> [TrackPoint] {
            places.enumerated().map { index, place in
                TrackPoint(
                    timestamp: Timestamp(
                        nanoseconds: Points.start + day * 86_400_000_000_000 + Int64(index) * 1_000_000_000),
                    lat: place.latitude, lon: place.longitude, device: device, session: "day \(day)")
            }
        }
        try store.save(points(0, "ferry") + points(0, "tender") + points(5, "ferry"))
        let time = Timestamp(nanoseconds: Points.start + 3 * 86_400_000_000_000)
        let deleted = try store.thin(before: time, tolerance: 5)
        #expect(deleted > 5_000)
        #expect(try store.thin(before: time, tolerance: 5) == 0)
        // Another time it is not thinned further.
        #expect(try store.thin(before: time, tolerance: 500) == 0)
        let left = try folder.stored()
        #expect(left.count == 15_000 - deleted)
        let latitudes = Set(left.map(\.lat))
        let gone = (points(0, "ferry") + points(0, "tender")).map(\.rounded.lat).filter { !latitudes.contains($0) }
        for latitude in stride(from: 0, to: gone.count, by: 500).map({ gone[$0] }) {
            #expect(try !folder.hasCoordinate(latitude), "\(latitude) is still there")
        }
        #expect(left.count { $0.session == "day 5" } == 5_000)
        let ferry = left.filter { $0.session == "day 0" && $0.device == "ferry" }
        var next = 0
        for place in points(0, "ferry").map(\.rounded) {
            if place == ferry[next] {
                next = min(next + 1, ferry.count - 1)
                continue
            }
            let (one, two) = (ferry[next - 1].coordinate, ferry[next].coordinate)
            #expect(Straight.distance(place.coordinate, one, two, enough: 5) <= 5)
        }
        #expect(
            try folder.sqlite("SELECT sum(points) FROM block; SELECT sum(points) FROM session")
                == "\(left.count)\n\(left.count)\n")
        #expect(try folder.sqlite("SELECT count(*) FROM block") == folder.sqlite("SELECT count(*) FROM block_box"))
        #expect(try folder.reader.count() == left.count && folder.sqlite("PRAGMA integrity_check") == "ok\n")
    }
}
#endif
