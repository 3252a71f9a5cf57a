#if Store
import GRDB
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Names with the same characters and different bytes.
@Suite(.mayBlock) struct StoreNameTests {
    /// Bytes of the same name: an accent as part of a letter, and after it.
    private static let names = ["caf\u{E9}", "cafe\u{301}"]

    private static func points(_ range: Range<Int>) -> [[TrackPoint]] {
        names.map { name in
            Points.line(range, device: name, session: name).map { point in
                var point = point
                point.source = name
                return point
            }
        }
    }

    @Test func `names of points are compared by their bytes, and the same fix is kept once`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        let points = Self.points(0..<10)
        // In one transaction, in several, and by another process.
        #expect(try store.save(points[0] + points[1]).inserted == 20)
        for part in points { #expect(try store.save(part).repeated == 10) }
        try store.close()
        for part in points.reversed() { #expect(try store.save(part).repeated == 10) }
        #expect(try folder.sqlite("SELECT count(*) FROM device; SELECT count(*) FROM source") == "2\n2\n")
        #expect(try folder.sqlite("SELECT points FROM session") == "10\n10\n")
        #expect(try folder.reader.counts(TrackQuery()).values.map { $0 } == [10, 10])
        #expect(try Set(folder.stored().map { Array($0.device.utf8) }).count == 2)
    }

    @Test func `a name that is not stored is an error with the path`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.withConnection { connection in
            try connection.queue.inDatabase { db in
                try db.execute(
                    sql: "CREATE TEMP TRIGGER lost BEFORE INSERT ON main.device BEGIN SELECT RAISE(IGNORE); END")
            }
        }
        let error = #expect(throws: StoreError.self) { try store.save(Points.line(0..<1)) }
        #expect(error?.reason == "\(folder.file("track.sqlite")): a name was not stored")
    }

    @Test func `answers do not mix devices`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Self.points(0..<1_000).flatMap { $0 })
        let tracks = StoredTracks(try folder.reader)
        var request = TracksRequest()
        #expect(try tracks.tracks(request).tracks.map(\.total) == [1_000, 1_000])
        #expect(try tracks.series(SeriesRequest()).devices.count == 2)
        let start = Timestamp(nanoseconds: Points.start)
        var whole = RouteRequest(
            Self.names.map { RouteRequest.Trip(device: $0, start: start, end: start + .seconds(1_000)) })
        whole.tolerance = 20
        let route = try tracks.route(whole).tracks
        #expect(route.map(\.total) == [1_000, 1_000] && route.map(\.points.count) == [2, 2])
        let file = String(decoding: try tracks.file(of: whole, .recording), as: UTF8.self)
        #expect(file.contains("\(Self.names[1]), \(Self.names[0])"))
        // From overviews.
        (request.effort, request.tolerance) = (100, 20)
        #expect(try tracks.tracks(request).tracks.map(\.total) == [1_000, 1_000])
        request.device = Self.names[1]
        #expect(try tracks.tracks(request).tracks.map(\.total) == [1_000])
        #expect(try tracks.journeys(request).trips.count == 1)
        request.device = nil
        #expect(try tracks.journeys(request).trips.count == 2)
        #expect(try folder.reader.journeys().days(.utc).map(\.trips) == [1, 1])
    }
}
#endif
