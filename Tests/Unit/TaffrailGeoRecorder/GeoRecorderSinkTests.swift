import Foundation
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailGeoRecorder
@testable import TaffrailReading
@testable import TaffrailRecording
@testable import TaffrailText

extension TemporaryDirectory {
    func events() throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        for info in recordings() {
            var reader = try RecordingReader(path: file(info.name))
            while let event = try reader.next() { events.append(event) }
        }
        return events
    }
}

@Suite(.mayBlock) struct GeoRecorderSinkTests {
    static func sink(_ folder: TemporaryDirectory, logs: Bool = false) -> GeoRecorderSink {
        var options = RecordingOptions(directory: folder.path)
        options.includesLogs = logs
        return GeoRecorderSink(GeoRecorderOptions(options), feed: LocationFeed())
    }

    static func location(_ index: Int) -> GeoEvent {
        var location = Location(
            latitude: 55 + Double(index) * 1e-5, longitude: 12,
            timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(index) * 1_000_000_000))
        location.speed = Double(index)
        return .location(location)
    }

    /// Writes events as the records of a run.
    static func write(
        _ events: [GeoEvent], to sink: GeoRecorderSink, run: RingID = RingID(1), start: UInt64 = 0
    ) throws -> UInt64 {
        var buffer = RecordBuffer(run: run, start: start)
        for event in events { buffer.append(event.record(received: event.location?.timestamp ?? .now)) }
        return try buffer.withBatch { batch throws(SinkError) in
            try sink.write(batch)
            return batch.end
        }
    }

    @Test func `positions and errors are recorded, other records are not`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        _ = try Self.write(
            [Self.location(0), .log(LogRecord(level: .info, message: "x")), .error(.denied("no")), Self.location(1)],
            to: sink)
        let info = try #require(folder.recordings().first)
        #expect(info.eventCount == 3 && info.name == "geo_log_2026-01-05_14-30-00.json")
        #expect(try folder.events().map(\.event) == [Self.location(0), .error(.denied("no")), Self.location(1)])
        try sink.close()
        #expect(try folder.events().count == 3)
    }

    @Test func `its status names the current recording, and the one that has ended`() throws {
        let folder = TemporaryDirectory()
        let sink = Self.sink(folder)
        sink.attach(SinkBook(sink: "recorder", ledgers: [], statusDirectory: folder.path))
        _ = try Self.write([.log(LogRecord(level: .info, message: "x"))], to: sink)
        #expect(SinkBook.StatusFile.read(directory: folder.path).isEmpty)
        _ = try Self.write([Self.location(0)], to: sink)
        let status = try #require(SinkBook.StatusFile.read(directory: folder.path).first)
        #expect(status.instance == "recorder")
        #expect(
            status.json.contains("geo_log_2026-01-05_14-30-00.json\",\"bytes\":\(sink.size),\"events\":1,\"lost\":0}"))
        try sink.close()
        #expect(SinkBook.StatusFile.read(directory: folder.path).first?.json.contains("\"ended\":true") == true)
    }

    @Test func `a dead run's records are added to the recording that it was writing, each once`() throws {
        let folder = TemporaryDirectory()
        let run = RingID(0xD0D0)
        var end: UInt64 = 0
        do {
            // Dropped without a close, as a crash does.
            let sink = Self.sink(folder)
            end = try Self.write((0..<10).map(Self.location), to: sink, run: run)
        }
        let sink = Self.sink(folder)
        #expect(sink.position(in: run) == end)
        #expect(sink.position(in: RingID(2)) == nil)
        _ = try Self.write((10..<15).map(Self.location), to: sink, run: run, start: end)
        #expect(folder.recordings().count == 1)
        // The current run starts its own recording, and ends the other.
        _ = try Self.write([Self.location(100)], to: sink, run: RingID(2))
        #expect(folder.recordings().map(\.eventCount) == [15, 1])
        #expect(try folder.events().map(\.event) == ((0..<15) + [100]).map(Self.location))
        let text = try String(contentsOfFile: folder.path + "/" + folder.recordings()[0].name, encoding: .utf8)
        #expect(!text.contains("taffrail"))
        try sink.close()
    }

    @Test func `a dead run's recording is ended, even when its queue is empty`() throws {
        let folder = TemporaryDirectory()
        do {
            let sink = Self.sink(folder)
            _ = try Self.write((0..<3).map(Self.location), to: sink, run: RingID(7))
        }
        let sink = Self.sink(folder)
        _ = try Self.write([Self.location(100)], to: sink, run: RingID(8))
        let first = try #require(folder.recordings().first)
        #expect(first.size < 2_000 && first.eventCount == 3)
        try sink.close()
    }

    @Test func `a dead run's position in its queue is kept while the queue exists`() throws {
        let folder = TemporaryDirectory()
        let run = RingID(0xD1D1)
        var end: UInt64 = 0
        do {
            let sink = Self.sink(folder)
            end = try Self.write((0..<10).map(Self.location), to: sink, run: run)
        }
        // The system has not yet released the dead program's queue, so that no run could drain it: the next run begins,
        // and dies.
        let queue = folder.path + "/.taffrail"
        try FileManager.default.createDirectory(atPath: queue, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: queue + "/\(run).ring"))
        do { _ = try Self.write([Self.location(100)], to: Self.sink(folder), run: RingID(2)) }
        // Nor has it let go of the recording when another one drains the queue.
        let name = try #require(folder.recordings().first?.name)
        let holder = try FileDescriptor(updating: folder.path + "/" + name)
        let isHeld = holder.lock()
        #expect(isHeld)
        let sink = Self.sink(folder)
        #expect(sink.position(in: run) == end)
        holder.unlock()
        _ = try Self.write((10..<15).map(Self.location), to: sink, run: run, start: end)
        try FileManager.default.removeItem(atPath: queue + "/\(run).ring")
        _ = try Self.write([Self.location(200)], to: sink, run: RingID(3))
        #expect(try folder.events().map(\.event) == ((0..<15) + [100, 200]).map(Self.location))
        let text = try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
        #expect(!text.contains("taffrail"))
        try sink.close()
    }

    @Test func `an unwritable directory is reported once to listeners, and recording continues when it can`() throws {
        let folder = TemporaryDirectory()
        let feed = LocationFeed()
        let heard = GeoEvents()
        let subscription = feed.subscribe(event: { heard.add($0) })
        let blocked = folder.path + "/blocked"
        try Data().write(to: URL(filePath: blocked))
        var options = RecordingOptions(directory: blocked + "/recordings")
        options.flushEvents = 1
        let sink = GeoRecorderSink(GeoRecorderOptions(options), feed: feed)
        for _ in 0..<3 {
            let error = #expect(throws: SinkError.self) { try Self.write([Self.location(0)], to: sink) }
            #expect(error?.kind == .temporary && error?.taken == 0)
        }
        try FileManager.default.removeItem(atPath: blocked)
        _ = try Self.write([Self.location(0)], to: sink)
        try sink.flush()
        #expect(RecordingManager(directory: URL(filePath: blocked + "/recordings")).listRecordings().count == 1)
        // It was not a matter of permission.
        #expect(heard.count == 0)
        withExtendedLifetime(subscription) {}
    }

    @Test func `through a pipeline every position is recorded, in order`() async throws {
        let folder = TemporaryDirectory()
        let pipeline = Pipeline(sinks: [Self.sink(folder)], queue: QueueOptions(durable: false))
        for index in 0..<5_000 { Self.location(index).log(into: pipeline) }
        #expect(pipeline.shutdown())
        let events = try folder.events()
        #expect(events.map(\.event) == (0..<5_000).map(Self.location))
        #expect(folder.recordings().map(\.eventCount) == [5_000])
    }

    private struct Subject: SinkSubject {
        let folder: TemporaryDirectory

        func makeSink() throws -> any Sink { GeoRecorderSinkTests.sink(folder, logs: true) }

        func records() throws -> [LogRecord] {
            try folder.events().compactMap { event in
                if case .log(let record) = event.event { record } else { nil }
            }
        }

        /// A recording has milliseconds, and JSON neither bytes nor dates.
        func expected(_ record: LogRecord) -> LogRecord {
            var expected = record
            expected.timestamp.nanoseconds -= record.timestamp.nanoseconds % 1_000_000
            expected.attributes = record.attributes.map { LogValueEntry($0.key, Self.value($0.value)) }
            return expected
        }

        private static func value(_ value: LogValue) -> LogValue {
            switch value {
            case .bytes(let bytes): .string(Data(bytes).base64EncodedString())
            case .date(let time): .string(Subject.text(time))
            case .double(let number) where !number.isFinite: .string("\(number)")
            case .array(let elements): .array(elements.map(self.value))
            case .map(let entries): .map(entries.map { LogValueEntry($0.key, self.value($0.value)) })
            default: value
            }
        }

        private static func text(_ time: Timestamp) -> String {
            RFC3339.string(time, decimals: 9)
        }
    }

    @Test(arguments: SinkRule.all) func `the recorder keeps every rule`(rule: SinkRule) async throws {
        _ = try await rule.check(Subject(folder: TemporaryDirectory()))
    }

    @Test func `a deleted directory is created again, and its records are counted`() throws {
        let folder = TemporaryDirectory()
        let directory = folder.file("drives")
        let sink = GeoRecorderSink(
            GeoRecorderOptions(RecordingOptions(directory: directory)), feed: LocationFeed())
        let end = try Self.write((0..<10).map(Self.location), to: sink)
        try FileManager.default.removeItem(atPath: directory)
        let diagnostics = CapturedDiagnostics()
        _ = try Self.write((10..<15).map(Self.location), to: sink, start: end)
        #expect(diagnostics.lines(with: directory).count == 1)
        #expect(sink.lostEvents == 10 && folder.recordings(in: "drives").map(\.eventCount) == [5])
        // A flush that finds out about it fails once; the next record begins another recording.
        try FileManager.default.removeItem(atPath: try #require(sink.path))
        #expect(throws: SinkError.self) { try sink.flush() }
        try sink.flush()
        #expect(sink.lostEvents == 15)
        try sink.close()
    }

    @Test func `records in a deleted recording are in the ledger, and named by a proof of the log`() throws {
        let folder = TemporaryDirectory()
        let options = RecordingOptions(directory: folder.file("drives"))
        let pipeline = Pipeline(
            sinks: [
                try FileSink(FileOptions(path: folder.file("app.log"))),
                GeoRecorderSink(GeoRecorderOptions(options), feed: LocationFeed()),
            ], queue: QueueOptions(handleSignals: false))
        func record(_ range: Range<Int>) {
            for index in range { Self.location(index).log(into: pipeline) }
            pipeline.flush()
        }
        record(0..<10)
        try FileManager.default.removeItem(atPath: folder.file("drives"))
        // The next batch, or the flush after it, finds out.
        record(10..<15)
        let drops = try Ledger.read(directory: folder.path).drops
        #expect(drops.map(\.sink) == ["geo-recorder"] && drops.map(\.reason) == [.deleted], "\(drops)")
        #expect(drops.map(\.count) == [10] && drops.map(\.sequences) == [1...10], "\(drops)")
        let name = try #require(folder.recordings(in: "drives").first?.name)
        try FileManager.default.removeItem(atPath: folder.file("drives/" + name))
        record(15..<16)
        #expect(pipeline.shutdown())
        let all = try Ledger.read(directory: folder.path).drops
        #expect(all.map(\.sequences) == [1...10, 11...15] && Set(all.map(\.run)).count == 1, "\(all)")
        let proof = try #require(try LogVerifier.read(paths: [folder.file("app.log")]).first)
        let text = "15 in a file of sink geo-recorder that was deleted before it was sent or completed"
        #expect(proof.report.contains { $0.hasSuffix("lost by other sinks: " + text) }, "\(proof.report)")
    }

    /// A sink with its own ledger.
    private static func sinkWithLedger(_ folder: TemporaryDirectory) throws -> GeoRecorderSink {
        let sink = sink(folder)
        let state = folder.file(".taffrail")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        sink.attach(SinkBook(sink: "geo-recorder", ledgers: [LedgerFile(directory: state)]))
        return sink
    }

    @Test func `a request to reopen files ends the recording and starts another`() throws {
        let folder = TemporaryDirectory()
        let sink = try Self.sinkWithLedger(folder)
        // The queue of the run exists.
        try Data().write(to: URL(filePath: folder.file(".taffrail/\(RingID(1)).ring")))
        let end = try Self.write((0..<3).map(Self.location), to: sink)
        try sink.reopen()
        #expect(sink.path == nil && folder.recordings().map(\.eventCount) == [3])
        let first = try #require(folder.recordings().first?.name)
        #expect(!folder.text(first).contains("taffrail"))
        _ = try Self.write([Self.location(3)], to: sink, start: end)
        try sink.close()
        #expect(folder.recordings().map(\.eventCount) == [3, 1])
        #expect(try folder.events().map(\.event) == (0..<4).map(Self.location))
    }

    @Test func `positions are requested until the sink is closed, also after a request to reopen files`() throws {
        let folder = TemporaryDirectory()
        let feed = LocationFeed()
        let sink = GeoRecorderSink(GeoRecorderOptions(RecordingOptions(directory: folder.path)), feed: feed)
        sink.attach(SinkBook(sink: "geo-recorder", ledgers: []))
        _ = try Self.write([Self.location(0)], to: sink)
        try sink.reopen()
        #expect(feed.demand.listeners == 1)
        try sink.close()
        #expect(feed.demand.listeners == 0)
    }

    @Test func `a deletion that is found out when the files are reopened is in the ledger`() throws {
        let folder = TemporaryDirectory()
        let sink = try Self.sinkWithLedger(folder)
        let end = try Self.write((0..<3).map(Self.location), to: sink)
        try FileManager.default.removeItem(atPath: try #require(sink.path))
        #expect(throws: SinkError.self) { try sink.reopen() }
        _ = try Self.write([Self.location(3)], to: sink, start: end)
        try sink.close()
        let drops = try Ledger.read(directory: folder.path).drops
        #expect(drops.map(\.count) == [3] && drops.map(\.run) == [RingID(1)], "\(drops)")
        #expect(sink.lostEvents == 3 && folder.recordings().map(\.eventCount) == [1])
    }

    @Test func `records of a dead run in a deleted recording are lost for that run`() throws {
        let folder = TemporaryDirectory()
        let run = RingID(0xD0D0)
        var end: UInt64 = 0
        do { end = try Self.write((0..<10).map(Self.location), to: Self.sink(folder), run: run) }
        let sink = try Self.sinkWithLedger(folder)
        end = try Self.write((10..<12).map(Self.location), to: sink, run: run, start: end)
        try FileManager.default.removeItem(atPath: try #require(sink.path))
        #expect(throws: SinkError.self) { try Self.write([Self.location(12)], to: sink, run: RingID(2)) }
        _ = try Self.write([Self.location(12)], to: sink, run: RingID(2))
        // Which numbers the dead run had recorded is not known.
        let drops = try Ledger.read(directory: folder.path).drops
        #expect(drops.map(\.count) == [12] && drops.map(\.run) == [run] && drops.map(\.sequences) == [nil], "\(drops)")
    }
}
