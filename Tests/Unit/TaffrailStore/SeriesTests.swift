#if Store
import GRDB
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// What positions have measured over time.
@Suite(.mayBlock) struct SeriesTests {
    private static func request(_ buckets: Int, effort: Int = 200_000) -> SeriesRequest {
        var request = SeriesRequest()
        request.buckets = buckets
        request.effort = effort
        return request
    }

    /// Fixes a second apart, whose altitudes count the seconds; every tenth has a battery.
    private static func points(_ count: Int, device: String = "ferry") -> [TrackPoint] {
        Points.line(0..<count, device: device).enumerated().map { index, point in
            var point = point
            point.altitude = Double(index) / 10
            if index % 10 == 0 { point.battery = 1 - Double(index) / Double(2 * count) }
            return point
        }
    }

    private static func time(_ second: Int64) -> Timestamp {
        Timestamp(nanoseconds: Points.start + second * 1_000_000_000)
    }

    @Test func `stretches of time have the least and the greatest value of each device`() throws {
        let folder = TemporaryDirectory()
        var points = Self.points(1_000) + Points.line(500..<600, device: "tender")
        points[123].speed = 9.5
        points[124].speed = nil
        points[999].speed = 0
        try folder.store.save(points)
        let answer = try StoredTracks(try folder.reader).series(Self.request(10))
        #expect(answer.devices.map(\.device) == ["ferry", "tender"] && !answer.isSampled)
        // From the first to the last point, of which the latter is within.
        #expect(answer.interval == .milliseconds(99_901))
        let ferry = try #require(answer.devices.first)
        #expect(ferry.altitude.count == 10 && ferry.speed.count == 10 && ferry.battery.count == 10)
        #expect(ferry.altitude[0] == .init(time: Self.time(0), least: 0, greatest: 9.9))
        #expect(ferry.altitude[9].greatest == 99.9)
        #expect(ferry.speed[1].least == 1.25 && ferry.speed[1].greatest == 9.5 && ferry.speed[9].least == 0)
        #expect(ferry.battery[0].least == 0.96 && ferry.battery[0].greatest == 1)
        let tender = answer.devices[1]
        #expect(
            tender.altitude.isEmpty && tender.battery.isEmpty
                && tender.speed == [.init(time: ferry.speed[5].time, least: 1.25, greatest: 1.25)])
    }

    @Test func `it can be limited to times and a device, and omits fixes that are excluded from trips`() throws {
        let folder = TemporaryDirectory()
        var points = Self.points(600) + Self.points(600, device: "tender")
        points[300].altitude = 9_000
        points[300].hAcc = 500
        try folder.store.save(points)
        try folder.store.analyse()
        let tracks = StoredTracks(try folder.reader)
        var request = Self.request(1)
        request.device = "ferry"
        #expect(try tracks.series(request).devices.first?.altitude.first?.greatest == 59.9)
        request.since = Self.time(100)
        request.until = Self.time(200)
        let part = try tracks.series(request)
        #expect(part.devices.map(\.device) == ["ferry"] && part.interval == .seconds(100))
        #expect(part.devices.first?.altitude == [.init(time: Self.time(100), least: 10, greatest: 19.9)])
        request.device = "barge"
        #expect(try tracks.series(request).devices.isEmpty)
        request.device = nil
        request.until = request.since
        #expect(try tracks.series(request).devices.isEmpty)
    }

    @Test func `of too many points those at the beginnings of all stretches count`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Self.points(10_000))
        let answer = try StoredTracks(try folder.reader).series(Self.request(10, effort: 1_000))
        let altitude = try #require(answer.devices.first?.altitude)
        #expect(answer.isSampled && altitude.count == 10)
        // A hundred of each thousand.
        #expect(altitude[0].least == 0 && altitude[0].greatest == 9.9)
        #expect(altitude[9].least == 900 && altitude[9].greatest == 909.9)
    }

    @Test func `many devices have fewer stretches each`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save((0..<100).flatMap { Points.line(0..<300, device: "device \($0)") })
        let answer = try StoredTracks(try folder.reader).series(Self.request(1_000))
        #expect(answer.devices.count == 100 && answer.devices.allSatisfy { (150...200).contains($0.speed.count) })
    }

    @Test func `a damaged index that contains a device twice does not end the program`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Self.points(10))
        // A view returns the row twice, as such an index does.
        try store.withConnection { connection in
            try connection.queue.inDatabase { db in
                try db.execute(
                    sql: """
                        ALTER TABLE device RENAME TO known;
                        CREATE VIEW device AS SELECT * FROM known UNION ALL SELECT * FROM known
                        """)
            }
        }
        let answer = try StoredTracks(try folder.reader).series(Self.request(1))
        #expect(answer.devices.map(\.device) == ["ferry"])
    }

    @Test func `a time without points has no series`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Self.points(10))
        var request = Self.request(10)
        request.until = Self.time(0)
        let tracks = StoredTracks(try folder.reader)
        #expect(try tracks.series(request) == SeriesAnswer(devices: [], interval: .zero))
        request.until = nil
        request.since = Self.time(10)
        #expect(try tracks.series(request) == SeriesAnswer(devices: [], interval: .zero))
    }
}
#endif
