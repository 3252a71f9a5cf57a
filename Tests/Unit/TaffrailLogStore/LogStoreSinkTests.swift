#if Store
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeo
@testable import TaffrailLogStore
@testable import TaffrailQuery
@testable import TaffrailReading
@testable import TaffrailStore

@Suite(.mayBlock) struct LogStoreSinkTests {
    private static func sink(_ folder: TemporaryDirectory, _ keep: LogRetention = LogRetention()) -> LogStoreSink {
        LogStoreSink(
            LogStoreOptions(path: folder.file("logs.sqlite"), device: "ferry", index: ["error.message"], keep: keep))
    }

    private static func records(_ range: Range<Int>) -> [LogRecord] {
        range.map { index in
            LogRecord(
                timestamp: Timestamp(nanoseconds: RecordPool.start + Int64(index) * 1_000_000_000),
                sequence: UInt64(index + 1),
                level: .info, message: "record \(index)")
        }
    }

    /// Writes records as those of a run.
    @discardableResult
    private static func write(_ records: [LogRecord], to sink: LogStoreSink, run: RingID = RingID(1)) throws -> UInt64 {
        var buffer = RecordBuffer(run: run)
        for record in records { buffer.append(record) }
        return try buffer.withBatch { batch throws(SinkError) in
            try sink.write(batch)
            return batch.end
        }
    }

    private static func stored(_ folder: TemporaryDirectory, _ query: String = "") throws -> [StoredRecord] {
        var request = RecordRequest(try LogSelection(parsing: query))
        (request.limit, request.isNewestFirst) = (10_000, false)
        return try LogStoreReader(folder.file("logs.sqlite")).records(request).records
    }

    @Test func `a record is stored whole, and a received one as at its origin`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        var record = Self.records(0..<1)[0]
        record.attributes = [
            LogValueEntry("geo.location.lat", 55.5), LogValueEntry("geo.location.lon", 12.25),
            LogValueEntry("error.message", "Connection refused"), LogValueEntry("status", 500),
        ]
        var received = Self.records(1..<2)[0]
        received.attributes = [
            LogValueEntry("taffrail.origin.time", .date(Timestamp(nanoseconds: RecordPool.start - 1))),
            LogValueEntry("taffrail.origin.run", "00000000000000ff"), LogValueEntry("taffrail.origin.seq", 3),
            LogValueEntry("taffrail.origin.device", "tender"),
        ]
        try Self.write([record, received], to: sink)
        // Another delivery of the same record, as after an outage.
        received.sequence = 3
        try Self.write([received], to: sink, run: RingID(2))
        let found = try Self.stored(folder)
        #expect(found.map(\.device) == ["tender", "ferry"])
        #expect(found[0].time.nanoseconds == RecordPool.start - 1 && found[0].arrival == received.timestamp)
        #expect(found[0].run == "00000000000000ff" && found[0].sequence == 3 && found[0].attributes.isEmpty)
        #expect(found[1].coordinate == Coordinate(latitude: 55.5, longitude: 12.25) && found[1]["status"] == 500)
        #expect(try Self.stored(folder, "\"connection refused\"").count == 1)
        #expect(try Self.stored(folder, "near:55.5,12.25,10m").count == 1)
        #expect(try Self.stored(folder, "device:tender").count == 1)
        try sink.close()
    }

    @Test func `records stored by a dead run are skipped, and its position is removed with its queue`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        let run = RingID(0xD0D0)
        let end = try Self.write(Self.records(0..<10), to: sink, run: run)
        #expect(sink.position(in: run) == end && sink.position(in: RingID(2)) == nil)
        // The queue's own table was not yet written when the run died: all of it is offered again.
        try Self.write(Self.records(0..<15), to: sink, run: run)
        #expect(try Self.stored(folder).map(\.message) == Self.records(0..<15).map(\.message))
        try Self.write(Self.records(20..<21), to: sink, run: RingID(2))
        #expect(sink.position(in: run) == nil && sink.position(in: RingID(2)) != nil)
        try sink.close()
    }

    @Test func `the status contains rows, bytes, oldest, newest and last save`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        let directory = try #require(sink.stateDirectory as String?)
        sink.attach(SinkBook(sink: sink.name, ledgers: [], statusDirectory: directory))
        try Self.write(Self.records(0..<10), to: sink)
        try sink.close()
        let status = try #require(SinkBook.StatusFile.read(directory: directory).first).json
        #expect(status.contains("\"rows\":10,\"bytes\":"), "\(status)")
        #expect(status.contains("\"oldest\":\"2026-01-05T14:30:00.000000000Z\""), "\(status)")
        #expect(status.contains("\"newest\":\"2026-01-05T14:30:09.000000000Z\",\"last_save\":\"20"), "\(status)")
    }

    @Test func `records beyond the age are deleted, not on the writer's thread`() async throws {
        let folder = TemporaryDirectory()
        var keep = LogRetention()
        keep.age = .days(1)
        let sink = Self.sink(folder, keep)
        var recent = Self.records(100..<101)
        recent[0].timestamp = .now
        try Self.write(Self.records(0..<100) + recent, to: sink)
        #expect(await eventually { (try? Self.stored(folder).map(\.message)) == ["record 100"] })
        try sink.close()
    }

    @Test func `records beyond the age are deleted while no records come`() async throws {
        let folder = TemporaryDirectory()
        let old = Self.records(0..<100).map { StoredRecord($0, device: "ferry") }
        try LogStore.at(folder.file("logs.sqlite")).save(old)
        var options = LogStoreOptions(path: folder.file("logs.sqlite"))
        options.keep.age = .days(1)
        let sink = LogStoreSink(options, name: "log-store", interval: .milliseconds(10))
        // As when the program starts.
        try sink.openDestination()
        #expect(await eventually { (try? Self.stored(folder).isEmpty) == true })
        // And later.
        try LogStore.at(folder.file("logs.sqlite")).save(old)
        #expect(await eventually { (try? Self.stored(folder).isEmpty) == true })
        try sink.close()
        // The lock is free: nothing is written any more.
        let lock = try FileDescriptor(folder.file("logs.sqlite-lock"), [.readWrite])
        let isFree = lock.lock()
        #expect(isFree)
    }

    @Test func `options have the defaults of the README, and reject invalid values`() throws {
        func options(_ json: String) throws -> LogStoreOptions {
            try JSONDecoder().decode(LogStoreOptions.self, from: Data(json.utf8))
        }
        #expect(try options("{}") == LogStoreOptions() && LogStoreOptions().path.hasSuffix("/logs.sqlite"))
        #expect(try options("{}").keep.keepsAll && options("{}").device.isEmpty && options("{}").index.isEmpty)
        let streams = try options(#"{"keep": {"streams": [{"query": "level<=debug", "age": "2d"}]}}"#).keep.streams
        #expect(try streams == [LogRetention.Stream(LogSelection(parsing: "level<=debug"), age: .days(2))])
        for wrong in [
            #"{"path": ""}"#, #"{"path": "/a/"}"#, #"{"index": [""]}"#, #"{"path": 1}"#, #"{"keep": {"age": "1s"}}"#,
            #"{"keep": {"streams": [{"query": "level<=loud", "age": "2d"}]}}"#,
            #"{"keep": {"streams": [{"query": "", "age": "2d"}]}}"#,
            #"{"keep": {"streams": [{"query": "level:info"}]}}"#,
            #"{"keep": {"streams": [{"query": "level:info since:-1h", "age": "2d"}]}}"#,
        ] {
            #expect(throws: DecodingError.self, "\(wrong)") { try options(wrong) }
        }
    }
}
#endif
