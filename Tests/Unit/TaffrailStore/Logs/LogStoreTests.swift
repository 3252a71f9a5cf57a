#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// The answers of the SQLite store.
@Suite(.mayBlock) struct LogStoreQueryTests {
    struct Subject: LogQuerySubject {
        let folder = TemporaryDirectory()
        func save(_ records: [StoredRecord]) throws {
            try folder.logs.open()
            try folder.logs.save(records)
        }
        func query() throws -> any LogQuery { try folder.logReader }
    }

    @Test(arguments: LogQueryRule.all) func `the store keeps every rule of queries`(rule: LogQueryRule) throws {
        let subject = Subject()
        try rule.check(subject)
        try subject.folder.logs.close()
        try subject.folder.expectSound()
    }
}

@Suite(.mayBlock, .serialized) struct LogStoreTests {
    @Test func `records of equal times are kept in their order, also beyond a millisecond's space`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<3_000)
        for index in records.indices { records[index].time = Timestamp(nanoseconds: RecordPool.start + 999_999) }
        for start in stride(from: 0, to: 3_000, by: 500) {
            try folder.logs.save(Array(records[start..<start + 500]))
            // The next free keys are found again.
            if start == 1_000 { try folder.logs.close() }
        }
        #expect(try folder.messages() == records.map(\.message))
        #expect(
            try folder.messages("since:2026-01-05T14:30:00.000999999Z until:2026-01-05T14:30:00.001Z").count == 3_000)
        #expect(try folder.messages("since:2026-01-05T14:30:00.001Z").isEmpty)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `times outside of the keys' range are kept and found`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<4)
        for (index, time) in [Int64.min, -1, 9_000_000_000_000_000_000, Int64.max - 1].enumerated() {
            records[index].time = Timestamp(nanoseconds: time)
        }
        try folder.logs.save(records)
        #expect(try folder.messages() == records.map(\.message))
        #expect(try folder.messages("logger:net level:info") == records.map(\.message))
        #expect(try folder.messages("since:2026-01-01") == ["line 2", "line 3"])
        #expect(try folder.messages("until:1970-01-01T00:00:00Z logger:net") == ["line 0", "line 1"])
        #expect(try folder.logReader.values(ValuesRequest("logger")).values.map(\.count) == [4])
        #expect(try folder.logReader.histogram(HistogramRequest()).total == 4)
        #expect(try folder.logs.purge(before: Timestamp(nanoseconds: .max)).records == 4)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `repetitions are those of one device, run or batch, and number`() throws {
        let folder = TemporaryDirectory()
        let saved = try folder.logs.save(
            LogLines.records(0..<5) + LogLines.records(0..<5) + LogLines.records(0..<5, device: "tender"))
        #expect(saved.inserted == 10 && saved.repeated == 5)
        #expect(try folder.logs.save(LogLines.records(0..<5, run: "a batch")).inserted == 5)
        #expect(try folder.logs.save(LogLines.records(0..<5, run: "a batch")).repeated == 5)
        var unnumbered = LogLines.records(0..<2)
        for index in unnumbered.indices { unnumbered[index].sequence = nil }
        #expect(try folder.logs.save(unnumbered + unnumbered).inserted == 4)
        #expect(try folder.messages("run:\"a batch\"").count == 5)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test(arguments: [LogSelection(), try? LogSelection(parsing: "logger:net")])
    func `a purge that is cancelled ends after a transaction, and the next one deletes the rest`(
        selection: LogSelection?
    ) throws {
        let folder = TemporaryDirectory()
        let selection = try #require(selection)
        try folder.logs.save(LogLines.records(0..<3_000))
        var calls = 0
        let part = try folder.logs.purge(before: .now, selection) {
            calls += 1
            return calls > 1
        }
        #expect(part.records == 2_000 && !part.isErased)
        #expect(try folder.messages().count == 1_000)
        #expect(try folder.logs.purge(before: .now, selection).records == 1_000)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `what was deleted is in no answer, no count, and not in the file`() throws {
        let folder = TemporaryDirectory()
        var secret = LogLines.records(0..<300, device: "runaway")
        for index in secret.indices {
            secret[index].message = "the passphrase is correcthorse \(index)"
            secret[index].attributes = [LogValueEntry("token", "batterystaple\(index)")]
            secret[index].eventName = "hidden.event"
            secret[index].logger = "hiddenlogger"
            secret[index].run = "hiddenrun"
            secret[index].source = LogRecord.SourceLocation(file: "Hidden.swift", function: "hiddenly()", line: 7)
        }
        try folder.logs.save(secret)
        try folder.logs.save(LogLines.records(300..<5_000))
        #expect(try folder.messages("correcthorse").count == 300)
        #expect(try folder.logs.purge(before: .now, LogSelection(parsing: "device:runaway")).records == 300)
        #expect(try folder.messages("correcthorse").isEmpty && folder.messages().count == 4_700)
        #expect(try folder.logReader.devices().map(\.name) == ["ferry"])
        try folder.logs.close()
        let bytes = try folder.bytes("logs.sqlite")
        for text in ["correcthorse", "batterystaple", "runaway", "hidden", "Hidden"] {
            #expect(bytes.firstRange(of: Array(text.utf8)) == nil, "\(text) is in the file")
        }
        try folder.expectSound()
        #expect(try folder.logs.clear().records == 4_700)
        #expect(try folder.messages().isEmpty)
        try folder.logs.close()
        #expect(try folder.bytes("logs.sqlite").firstRange(of: Array("ferry".utf8)) == nil)
        try folder.expectSound()
    }

    @Test func `age, streams and size limit what is kept`() throws {
        let folder = TemporaryDirectory()
        let now = Timestamp(nanoseconds: RecordPool.start + 10_000_000_000_000)
        try folder.logs.save(LogLines.records(0..<4_000) + LogLines.records(4_000..<8_000, level: .debug))
        var keep = LogRetention()
        // The age is that of the arrival, here the time.
        keep.age = .seconds(9_000)
        keep.streams = [LogRetention.Stream(try LogSelection(parsing: "level<=debug"), age: .seconds(5_000))]
        #expect(try folder.logs.maintain(keep, now: now) == 2_000)
        #expect(try folder.messages().count == 6_000)
        #expect(try folder.messages("level:debug").first == "line 5000")
        keep = LogRetention()
        keep.size = .kibibytes(600)
        #expect(try folder.logs.maintain(keep, now: now) > 0)
        let rest = try folder.messages()
        #expect(rest.count > 500 && rest.last == "line 7999" && rest.first != "line 1000")
        try folder.logs.close()
        #expect(folder.size("logs.sqlite") < 700 << 10)
        try folder.expectSound()
        #expect(try folder.sql("SELECT count(*) FROM origin") == "1\n")
    }

    @Test func `a backup is whole while records are saved`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<500))
        let reader = try folder.logReader
        try folder.logs.save(LogLines.records(500..<600))
        try reader.backUp(to: folder.file("copy.sqlite"))
        try folder.logs.save(LogLines.records(600..<700))
        #expect(
            try LogStoreReader(folder.file("copy.sqlite")).values(ValuesRequest("level")).values.first?.count == 600)
        #expect(throws: StoreError.self) { try reader.backUp(to: folder.file("copy.sqlite")) }
        let result = try Program.run([folder.file("copy.sqlite"), "PRAGMA integrity_check"], of: "sqlite3")
        #expect(result.output == "ok\n")
    }

    @Test func `the readable view has the records`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<1))
        #expect(
            try folder.sql("SELECT * FROM log") == "2026-01-05T14:30:00.000000000Z|info|ferry|net||line 0|||\n")
    }

    @Test func `a damaged database is kept under another name, and nothing offered is lost`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<3_000))
        try folder.logs.close()
        var bytes = try folder.bytes("logs.sqlite")
        for index in 4_096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try folder.write(bytes, to: "logs.sqlite")
        try folder.logs.save(LogLines.records(5_000..<5_010))
        #expect(folder.names.contains { $0.hasPrefix("logs.sqlite.corrupt-") })
        #expect(try folder.messages() == LogLines.records(5_000..<5_010).map(\.message))
    }

    @Test func `a later version, and a store of another kind, are refused and not touched`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<3))
        try folder.logs.close()
        _ = try folder.sql("PRAGMA user_version = 99")
        let bytes = try folder.bytes("logs.sqlite")
        let error = #expect(throws: StoreError.self) { try folder.logs.save(LogLines.records(3..<4)) }
        #expect(error?.kind == .newer)
        #expect(try folder.bytes("logs.sqlite") == bytes)
        #expect(throws: StoreError.self) { try folder.logReader }
        try TrackStore.at(folder.file("track.sqlite")).open()
        let foreign = #expect(throws: StoreError.self) {
            try LogStore.at(folder.file("track.sqlite")).save(LogLines.records(0..<1))
        }
        #expect(foreign?.kind == .foreign)
    }

    @Test func `while another process has the lock, saving is refused and reading still works`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<3))
        try folder.logs.close()
        let other = try FileDescriptor(folder.file("logs.sqlite-lock"), [.readWrite])
        let isLocked = other.lock()
        #expect(isLocked)
        let error = #expect(throws: StoreError.self) { try folder.logs.save(LogLines.records(3..<4)) }
        #expect(error?.kind == .busy)
        #expect(try folder.messages().count == 3)
        other.unlock()
        try folder.logs.save(LogLines.records(3..<4))
        #expect(try folder.messages().count == 4)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func `a full disk is an error of its kind, and saving continues when there is space`() throws {
        let disk = try SmallDisk("6m")
        let store = disk.directory.logs
        try store.save(LogLines.records(0..<100))
        try disk.fill()
        var saved = 100
        var error: StoreError?
        do throws(StoreError) {
            while saved < 100_000 {
                try store.save(LogLines.records(saved..<saved + 500))
                saved += 500
            }
        } catch let caught { error = caught }
        #expect(error?.kind == .full, "\(String(describing: error))")
        #expect(try disk.directory.messages().count == saved)
        try disk.free()
        try store.save(LogLines.records(saved..<saved + 500))
        #expect(try disk.directory.messages() == LogLines.records(0..<saved + 500).map(\.message))
        try store.close()
        try disk.directory.expectSound()
    }

    @Test func `the answers over HTTP are those of the stores as they are now`() throws {
        let folder = TemporaryDirectory()
        let api = LogAPI(logStore: folder.file("logs.sqlite"), locationStore: folder.file("track.sqlite"))
        func get(_ path: String, _ parameters: (name: String, value: String)...) throws -> (Int, String) {
            let answer = try #require(api.answer(path: path, parameters: parameters))
            return (answer.status, String(decoding: answer.body, as: UTF8.self))
        }
        #expect(try get("/api/records").0 == 404 && get("/api/tracks").0 == 404)
        try folder.logs.save(LogLines.records(0..<3))
        #expect(
            try get("/api/values", ("field", "device")).1 == #"{"values":[{"value":"ferry","count":3}],"distinct":1}"#)
        // Another file of the same path.
        try folder.logs.close()
        for name in folder.names { try FileManager.default.removeItem(atPath: folder.file(name)) }
        try folder.logs.save(LogLines.records(0..<1, device: "tender"))
        #expect(try get("/api/records").1.contains(#""message":"line 0","logger":"net","device":"tender""#))
        try folder.store.save(Points.line(0..<5))
        #expect(
            try get("/api/tracks", ("zoom", "3")).1.hasPrefix(
                #"{"tracks":[{"device":"ferry","total":5,"points":[{"time":"#))
        try folder.write("no database", to: "diary")
        let broken = LogAPI(logStore: folder.file("diary"))
        let answer = try #require(broken.answer(path: "/api/devices", parameters: []))
        // Trying again is of no use, and the client need not know the paths.
        #expect(answer.status == 500 && answer.retryAfter == nil)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("diary"))
    }

    @Test func `tracks are those of the positions, simplified`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<200) + Points.line(0..<10, device: "tender"))
        let source = StoredTracks(try folder.reader)
        var request = TracksRequest()
        let whole = try source.tracks(request).tracks
        #expect(whole.map(\.device) == ["ferry", "tender"] && whole.map(\.points.count) == [200, 10])
        request.tolerance = 10
        request.device = "ferry"
        let simple = try source.tracks(request).tracks
        #expect(simple.map(\.points.count) == [2] && simple[0].total == 200)
        #expect(simple[0].points.first == whole[0].points.first && simple[0].points.last == whole[0].points.last)
    }
}
#endif
