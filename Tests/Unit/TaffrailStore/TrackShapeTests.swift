#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import TaffrailStore

/// Tracks of more points than a request reads.
@Suite(.mayBlock) struct TrackShapeTests {
    private static func request(_ tolerance: Double, effort: Int = 2_000) -> TracksRequest {
        var request = TracksRequest()
        request.tolerance = tolerance
        request.effort = effort
        return request
    }

    @Test(arguments: [false, true])
    func `from a map's zoom 14 outwards the whole track is there, however many points it has`(
        isAnalysed: Bool
    ) throws {
        let folder = TemporaryDirectory()
        let points = Points.line(0..<10_000) + Points.line(0..<100, device: "tender")
        try folder.store.save(points)
        if isAnalysed { try folder.store.analyse() }
        let tracks = StoredTracks(try folder.reader)
        let shape = try tracks.tracks(Self.request(4.8))
        #expect(shape.since == nil && shape.tolerance >= 20)
        #expect(shape.tracks.map(\.device) == ["ferry", "tender"] && shape.tracks.map(\.total) == [10_000, 100])
        let ferry = try #require(shape.tracks.first)
        #expect(ferry.points.first?.time == points[0].timestamp && ferry.points.last?.time == points[9_999].timestamp)
        // A straight way: the ends, and those of its hours.
        #expect(ferry.points.count < 20)
        #expect(abs((ferry.points.last?.speed ?? 0) - 1.11) < 0.05, "\(ferry.points)")
        // Nearer, the newest points count, each of them.
        let near = try tracks.tracks(Self.request(1))
        #expect(near.since != nil && near.tracks.reduce(0) { $0 + $1.total } == 2_000)
        // What can be read is exact.
        #expect(try tracks.tracks(Self.request(4.8, effort: 20_000)).tolerance == 4.8)
    }

    @Test(arguments: [false, true])
    func `a shape of too many points is simplified further, and reports the tolerance`(isAnalysed: Bool) throws {
        let folder = TemporaryDirectory()
        // A zigzag of 111 m to the north a minute, off by 64 m, and by as much more each thousand points.
        let points = (0..<8_000).map { (index: Int) -> TrackPoint in
            let east = index % 2 == 1 ? Double(1 + index / 1_000) : 0
            return TrackPoint(
                timestamp: Timestamp(nanoseconds: Points.start + Int64(index) * 60_000_000_000),
                lat: 50 + Double(index) * 0.001, lon: 12 + 0.001 * east, hAcc: 5, device: "ferry", session: "one")
        }
        try folder.store.save(points)
        if isAnalysed { try folder.store.analyse() }
        let tracks = StoredTracks(try folder.reader)
        var request = Self.request(30)
        #expect(try tracks.tracks(request).tracks.first?.points.count == 8_000)
        request.limit = 5_000
        let shape = try tracks.tracks(request)
        let track = try #require(shape.tracks.first)
        #expect(shape.tolerance == 480 && (2_900...3_300).contains(track.points.count))
        // Each point is as near the line as the answer says.
        var (next, worst) = (0, 0.0)
        for point in points {
            while track.points[next].time < point.timestamp { next += 1 }
            let (start, end) = (track.points[max(0, next - 1)].coordinate, track.points[next].coordinate)
            worst = max(worst, Self.distance(of: point.coordinate, start, end))
        }
        #expect(worst <= 480 && worst > 120, "\(worst) m")
    }

    /// Metres from a place to the straight way between two others, on a plane.
    private static func distance(of place: Coordinate, _ start: Coordinate, _ end: Coordinate) -> Double {
        func offset(_ other: Coordinate) -> (x: Double, y: Double) {
            let north = (other.latitude - start.latitude) * 111_340
            let east = (other.longitude - start.longitude) * 111_320 * cos(start.latitude * .pi / 180)
            return (east, north)
        }
        let (point, way) = (offset(place), offset(end))
        let square = way.x * way.x + way.y * way.y
        let along = square > 0 ? min(1, max(0, (point.x * way.x + point.y * way.y) / square)) : 0
        let (x, y) = (point.x - along * way.x, point.y - along * way.y)
        return (x * x + y * y).squareRoot()
    }

    @Test func `the hours of a time, a box and a device are counted`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<9_000) + Points.line(0..<100, device: "tender"))
        var query = TrackQuery()
        let (ferry, tender) = (ExactText("ferry"), ExactText("tender"))
        #expect(try folder.reader.counts(query) == [ferry: 9_000, tender: 100])
        query.device = "tender"
        #expect(try folder.reader.counts(query) == [tender: 100])
        query = TrackQuery()
        query.since = Timestamp(nanoseconds: Points.start + 8_999 * 1_000_000_000)
        #expect(try folder.reader.counts(query).keys.sorted() == [ferry])
        query = TrackQuery()
        query.box = CoordinateBox(
            southWest: Coordinate(latitude: -10, longitude: 170), northEast: Coordinate(latitude: 10, longitude: -170))
        #expect(try folder.reader.counts(query) == [:])
    }
}
#endif
