#if Store
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailLocationStore
@testable import TaffrailReading
@testable import TaffrailStore

@Suite(.mayBlock) struct LocationStoreSinkTests {
    private static func sink(_ folder: TemporaryDirectory, device: String? = nil) -> LocationStoreSink {
        LocationStoreSink(LocationStoreOptions(path: folder.file("track.sqlite"), device: device))
    }

    private static func location(_ index: Int) -> Location {
        var location = Location(
            latitude: 55 + Double(index) * 1e-5, longitude: 12,
            timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(index) * 1_000_000_000))
        location.extra.device = "/dev/ttyACM0"
        return location
    }

    private static func records(_ range: Range<Int>) -> [LogRecord] {
        range.map { GeoEvent.location(location($0)).record() }
    }

    /// Writes records as those of a run.
    @discardableResult
    private static func write(
        _ records: [LogRecord], to sink: LocationStoreSink, run: RingID = RingID(1), start: UInt64 = 0
    ) throws -> UInt64 {
        var buffer = RecordBuffer(run: run, start: start)
        for record in records { buffer.append(record) }
        return try buffer.withBatch { batch throws(SinkError) in
            try sink.write(batch)
            return batch.end
        }
    }

    private static func points(_ folder: TemporaryDirectory) throws -> [TrackPoint] {
        var points: [TrackPoint] = []
        try StoreReader(folder.file("track.sqlite")).forEach(TrackQuery()) { points.append($0) }
        return points
    }

    @Test func `positions are stored with all known values, other records are not`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        var location = Self.location(0)
        location.altitude = 3.5
        location.horizontalAccuracy = 4
        location.verticalAccuracy = 6
        location.course = 90
        location.speed = 2
        location.extra.climb = -0.25
        location.sourceInformation = Location.SourceInformation(isSimulatedBySoftware: true)
        var record = GeoEvent.location(location).record()
        record.attributes.append(LogValueEntry("taffrail.geo.battery", 0.5))
        record.sequence = 42
        try Self.write([LogRecord(level: .info, message: "x")], to: sink)
        #expect(folder.names == [])
        try Self.write(
            [record, LogRecord(level: .info, message: "x"), GeoEvent.error(.denied("no")).record()], to: sink,
            run: RingID(7))
        let point = try #require(try Self.points(folder).first)
        #expect(try Self.points(folder).count == 1)
        #expect(point.location == location)
        #expect(point.device == "/dev/ttyACM0" && point.source == "/dev/ttyACM0" && point.battery == 0.5)
        #expect(point.run == RingID(7) && point.session == "\(RingID(7))" && point.sequence == 42)
        #expect(point.localOffset != nil && point.flags == .simulated)
        try sink.close()
    }

    @Test func `the device is that of the record, else that of the options, else the receiver`() throws {
        let folder = TemporaryDirectory()
        var named = Self.records(1..<2)[0]
        named.attributes.append(LogValueEntry("device.id", "tender"))
        try Self.write(Self.records(0..<1) + [named], to: Self.sink(folder, device: "ferry"))
        let sink = Self.sink(folder)
        try Self.write(Self.records(2..<3), to: sink, run: RingID(2))
        var bare = Self.location(3)
        bare.extra.device = nil
        try Self.write([GeoEvent.location(bare).record()], to: sink, run: RingID(3))
        #expect(try Self.points(folder).map(\.device) == ["ferry", "tender", "/dev/ttyACM0", "device"])
        try sink.close()
    }

    @Test func `a received position has the device that has sent it, and never that of this machine`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder, device: "ferry")
        var records = Self.records(0..<3)
        records[0].attributes.append(LogValueEntry("taffrail.origin.device", "phone"))
        // What a sender claims does not count where its token belongs to a device.
        records[1].attributes.append(LogValueEntry("device.id", "victim"))
        records[1].attributes.append(LogValueEntry("taffrail.origin.device", "phone"))
        records[2].attributes.append(LogValueEntry("taffrail.origin.time", .date(Timestamp(nanoseconds: 5))))
        try Self.write(records, to: sink)
        #expect(try Self.points(folder).map(\.device) == ["phone", "phone", "/dev/ttyACM0"])
        try sink.close()
    }

    @Test func `a fix without a time gets that of its record, and a flag`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        var marked = Self.location(0)
        marked.extra.hasNoTime = true
        let arrival = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
        var bare = GeoEvent.location(Self.location(1)).record(received: Timestamp(nanoseconds: arrival.nanoseconds + 1))
        bare.attributes.removeAll { $0.key == "taffrail.geo.time" }
        try Self.write([GeoEvent.location(marked).record(received: arrival), bare] + Self.records(2..<3), to: sink)
        let points = try Self.points(folder)
        #expect(points.map { $0.flags.contains(.untimed) } == [false, true, true])
        #expect(points.dropFirst().map(\.timestamp) == [arrival, bare.timestamp])
        try sink.close()
    }

    @Test func `points stored by a dead run are skipped, and its position is removed with its queue`()
        throws
    {
        let folder = TemporaryDirectory()
        let queue = folder.file("\(RingID(0xD0D0)).ring")
        try folder.write("", to: "\(RingID(0xD0D0)).ring")
        let store = TrackStore.at(folder.file("track.sqlite"))
        let run = RingID(0xD0D0)
        let sink = Self.sink(folder)
        let end = try Self.write(Self.records(0..<10), to: sink, run: run)
        #expect(sink.position(in: run) == end && sink.position(in: RingID(2)) == nil)
        // The queue's own table was not yet written when the run died: all of it is offered again.
        try Self.write(Self.records(0..<15), to: sink, run: run)
        #expect(try Self.points(folder).count == 15 && Self.points(folder).allSatisfy { $0.lastSeen == nil })
        // The path of the queue is known if it has one.
        _ = try store.save(
            [], ends: [], mark: RingMark(run: run, position: try #require(sink.position(in: run)) + 16, path: queue))
        try Self.write(Self.records(20..<21), to: sink, run: RingID(2))
        #expect(sink.position(in: run) != nil)
        try FileManager.default.removeItem(atPath: queue)
        try Self.write(Self.records(21..<22), to: sink, run: RingID(3))
        #expect(sink.position(in: run) == nil && sink.position(in: RingID(3)) != nil)
        try sink.close()
    }

    @Test func `a store that another process uses does not keep the sink from being opened`() throws {
        let folder = TemporaryDirectory()
        let lock = try FileDescriptor(folder.file("track.sqlite-lock"), [.readWrite, .create])
        let isFree = lock.lock()
        #expect(isFree)
        let options = LocationStoreOptions(path: folder.file("track.sqlite"))
        let sink = LocationStoreSink(options, timing: .init(opening: .milliseconds(1)))
        try sink.openDestination()
        // The queue keeps what comes.
        let error = #expect(throws: SinkError.self) { try Self.write(Self.records(0..<3), to: sink) }
        #expect(error?.kind == .temporary)
        lock.unlock()
        try Self.write(Self.records(0..<3), to: sink)
        #expect(try Self.points(folder).count == 3)
        try sink.close()
        // What does not end by itself is still an error.
        try folder.write("", to: "file")
        let other = LocationStoreSink(LocationStoreOptions(path: folder.file("file/track.sqlite")))
        #expect(throws: SinkError.self) { try other.openDestination() }
    }

    @Test func `the status contains rows, bytes, oldest, newest and last save`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        let directory = try #require(sink.stateDirectory)
        sink.attach(SinkBook(sink: sink.name, ledgers: [], statusDirectory: directory))
        try Self.write(Self.records(0..<10), to: sink)
        try sink.close()
        let status = try #require(SinkBook.StatusFile.read(directory: directory).first).json
        #expect(status.contains("\"rows\":10,\"bytes\":"), "\(status)")
        #expect(status.contains("\"oldest\":\"2026-01-05T14:30:00.000000000Z\""), "\(status)")
        #expect(status.contains("\"newest\":\"2026-01-05T14:30:09.000000000Z\",\"last_save\":\"20"), "\(status)")
    }

    @Test func `points beyond the limits are deleted, not on the writer's thread`() async throws {
        let folder = TemporaryDirectory()
        var keep = TrackRetention()
        keep.rows = 10
        let sink = LocationStoreSink(LocationStoreOptions(path: folder.file("track.sqlite"), keep: keep))
        try Self.write(Self.records(0..<100), to: sink)
        #expect(await eventually { (try? Self.points(folder).count) == 10 })
        #expect(try Self.points(folder).map(\.timestamp) == (90..<100).map { Self.location($0).timestamp })
        try sink.close()
    }

    @Test func `points of a parked device are deleted at their age, and are then in no file`() async throws {
        let folder = TemporaryDirectory()
        let store = TrackStore.at(folder.file("track.sqlite"))
        func park(at latitude: Double) throws {
            // For two hours, five weeks ago, after a way of three minutes.
            let start = Timestamp.now.nanoseconds - 35 * 86_400_000_000_000
            var points: [TrackPoint] = []
            for minute in 0..<130 {
                let away = Double(max(0, 3 - minute)) / 100
                let time = Timestamp(nanoseconds: start + Int64(minute) * 60_000_000_000)
                points.append(
                    TrackPoint(
                        timestamp: time, lat: latitude + away, lon: 12.7654321, hAcc: 5, device: "ferry", session: "one"
                    ))
            }
            try store.save(points)
            try store.analyse()
        }
        try park(at: 41.1234567)
        #expect(try folder.hasCoordinate(41.1234567) && folder.hasCoordinate(12.7654321))
        var options = LocationStoreOptions(path: folder.file("track.sqlite"))
        options.keep.age = .days(30)
        let sink = LocationStoreSink(options, timing: .init(retention: .milliseconds(10)))
        // When the program starts, though nothing is saved.
        try sink.openDestination()
        #expect(await eventually { (try? folder.hasCoordinate(41.1234567)) == false })
        #expect(try !folder.hasCoordinate(12.7654321))
        // And later.
        try park(at: 42.7654321)
        #expect(await eventually { (try? folder.hasCoordinate(42.7654321)) == false })
        #expect(await eventually { (try? folder.hasCoordinate(12.7654321)) == false })
        #expect(try Self.points(folder).isEmpty)
        try sink.close()
        // The lock is free: nothing is written any more.
        let lock = try FileDescriptor(folder.file("track.sqlite-lock"), [.readWrite])
        let isFree = lock.lock()
        #expect(isFree)
    }

    @Test func `options have the defaults of the README, and reject invalid values`() throws {
        func options(_ json: String) throws -> LocationStoreOptions {
            try JSONDecoder().decode(LocationStoreOptions.self, from: Data(json.utf8))
        }
        #expect(try options("{}") == LocationStoreOptions())
        #expect(LocationStoreOptions().path.hasSuffix("/track.sqlite"))
        #expect(
            try options(#"{"path": "/a/b", "device": "ferry"}"#) == LocationStoreOptions(path: "/a/b", device: "ferry"))
        var keep = TrackRetention()
        keep.rows = 5
        #expect(try options(#"{"keep": {"rows": 5}}"#).keep == keep && options("{}").keep.keepsAll)
        keep.thinAge = .days(90)
        keep.thinTolerance = 25
        #expect(
            try options(#"{"keep": {"rows": 5, "thin_after": "90d", "thin_tolerance": 25}}"#).keep == keep)
        for wrong in [
            #"{"path": ""}"#, #"{"path": "/a/"}"#, #"{"device": ""}"#, #"{"path": 1}"#, #"{"keep": {"rows": 0}}"#,
            #"{"keep": {"thin_after": "1h"}}"#, #"{"keep": {"thin_tolerance": 0}}"#,
        ] {
            #expect(throws: DecodingError.self) { try options(wrong) }
        }
    }
}
#endif
