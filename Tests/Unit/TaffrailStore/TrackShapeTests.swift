#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailTestSupport
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

    @Test func `the hours of a time, a box and a device are counted`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<9_000) + Points.line(0..<100, device: "tender"))
        var query = TrackQuery()
        #expect(try folder.reader.counts(query) == ["ferry": 9_000, "tender": 100])
        query.device = "tender"
        #expect(try folder.reader.counts(query) == ["tender": 100])
        query = TrackQuery()
        query.since = Timestamp(nanoseconds: Points.start + 8_999 * 1_000_000_000)
        #expect(try folder.reader.counts(query).keys.sorted() == ["ferry"])
        query = TrackQuery()
        query.box = CoordinateBox(
            southWest: Coordinate(latitude: -10, longitude: 170), northEast: Coordinate(latitude: 10, longitude: -170))
        #expect(try folder.reader.counts(query) == [:])
    }
}
#endif
