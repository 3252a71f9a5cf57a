#if Store
import GRDB
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// What is damaged, deleted or read while it is written.
@Suite(.mayBlock, .serialized) struct LogStoreRepairTests {
    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func `a disk that is full when the store is created is no reason to refuse it later`() throws {
        let disk = try SmallDisk("6m")
        let store = disk.directory.logs
        try disk.fill()
        #expect(throws: StoreError.self) { try store.save(LogLines.records(0..<10)) }
        try disk.free()
        try store.save(LogLines.records(0..<10))
        #expect(try disk.directory.messages().count == 10)
        try store.close()
        try disk.directory.expectSound()
    }

    @Test(arguments: ["00000000FFFFFFFF", "00"])
    func `an index of words that is damaged is made anew, and no record is moved aside`(structure: String) throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<500))
        try folder.logs.close()
        _ = try folder.sql("UPDATE record_text_data SET block = x'\(structure)' WHERE id = 10")
        try folder.logs.save(LogLines.records(500..<600))
        #expect(!folder.names.contains { $0.contains("corrupt") })
        #expect(try folder.messages().count == 600 && folder.messages("\"line 77\"").count == 1)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `after a deletion the devices have the last records and positions that are left`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<6)
        for index in [0, 2, 4] {
            records[index].coordinate = Coordinate(latitude: Double(index), longitude: 12)
            records[index].eventName = index == 0 ? nil : "geo.location"
        }
        try folder.logs.save(records)
        let other = LogLines.records(0..<2, device: "tender")
        try folder.logs.save(other)
        var keep = LogRetention()
        keep.streams = [LogRetention.Stream(try LogSelection(parsing: "event:geo.location"), age: .seconds(1))]
        let now = Timestamp(nanoseconds: RecordPool.start + 100_000_000_000)
        #expect(try folder.logs.maintain(keep, now: now) == 2)
        var devices = try folder.logReader.devices()
        #expect(devices[0].last == records[5].time && devices[0].coordinate == Coordinate(latitude: 0, longitude: 12))
        #expect(devices[0].coordinateTime == records[0].time && devices[1].last == other[1].time)
        #expect(try folder.logs.purge(before: now, LogSelection(parsing: "device:ferry \"line 0\" ")).records == 1)
        #expect(try folder.logs.purge(before: now, LogSelection(parsing: "\"line 5\"")).records == 1)
        devices = try folder.logReader.devices()
        #expect(devices[0].last == records[3].time && devices[0].coordinate == nil && devices[0].records == 2)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `streams are deleted as they become too old, each record once`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<100, level: .debug) + LogLines.records(100..<200))
        var keep = LogRetention()
        keep.streams = [LogRetention.Stream(try LogSelection(parsing: "level<=debug"), age: .seconds(100))]
        func maintain(_ second: Int64) throws -> Int {
            try folder.logs.maintain(keep, now: Timestamp(nanoseconds: RecordPool.start + second * 1_000_000_000))
        }
        #expect(try maintain(130) == 30)
        #expect(try maintain(130) == 0)
        #expect(try maintain(150) == 20)
        // A clock that is set back.
        #expect(try maintain(120) == 0)
        // Another query begins at the first record.
        keep.streams[0] = LogRetention.Stream(try LogSelection(parsing: "\"line 120\""), age: .seconds(100))
        #expect(try maintain(150) == 0)
        #expect(try maintain(300) == 1)
        #expect(try folder.messages().count == 149)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `streams are deleted also after a clock that was ahead`() throws {
        let folder = TemporaryDirectory()
        var keep = LogRetention()
        keep.streams = [LogRetention.Stream(try LogSelection(parsing: "level<=debug"), age: .seconds(100))]
        func maintain(_ second: Int64) throws -> Int {
            try folder.logs.maintain(keep, now: Timestamp(nanoseconds: RecordPool.start + second * 1_000_000_000))
        }
        try folder.logs.save(LogLines.records(0..<10, level: .debug))
        #expect(try maintain(100_000) == 10)
        // These arrive after the clock was set right.
        try folder.logs.save(LogLines.records(10..<110, level: .debug))
        #expect(try maintain(150) == 40)
        #expect(try maintain(160) == 10)
        #expect(try folder.messages().count == 50)
        try folder.logs.close()
        try folder.expectSound()
    }

    @Test func `a deletion reports when a reader keeps it from emptying the log`() throws {
        let folder = TemporaryDirectory()
        let store = LogStore(path: folder.file("logs.sqlite"), patience: .zero)
        try store.save(LogLines.records(0..<300))
        try store.close()
        let reader = try folder.logReader
        let first = try reader.pages.read { db in
            // The old state is read from here on.
            try RawStatement.forEach("SELECT count(*) FROM record", [], db) { #expect($0[0] == 300) }
            return try store.purge(before: .now, LogSelection(parsing: "\"line 7\""))
        }
        #expect(first == LogDeletionResult(records: 1, isErased: false))
        #expect(first.answer["erased"] == .bool(false))
        #expect(try store.purge(before: .now, LogSelection(parsing: "\"line 7\"")).isErased)
        #expect(try folder.bytes("logs.sqlite-wal").isEmpty)
        try store.close()
    }

    @Test func `a transaction that fails, and a read after it, leave no hour uncounted`() throws {
        let folder = TemporaryDirectory()
        let store = folder.logs
        try store.save(LogLines.records(0..<10))
        func rename(_ table: String, to name: String) throws {
            try store.owner.with { connection in
                try connection.queue.inDatabase { try $0.execute(sql: "ALTER TABLE \(table) RENAME TO \(name)") }
            }
        }
        // The table of the newest hour can neither be written nor read.
        try rename("meta", to: "hidden")
        #expect(throws: StoreError.self) { try store.save(LogLines.records(3_600..<3_610)) }
        try rename("hidden", to: "meta")
        try store.save(LogLines.records(7_200..<7_210))
        #expect(try folder.logReader.values(ValuesRequest("level")).values.map(\.count) == [20])
        #expect(try folder.messages("logger:net").count == 20)
        try store.close()
        try folder.expectSound()
    }

    @Test func `times before 1970 are readable in the view`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<2)
        records[0].time = Timestamp(nanoseconds: -1)
        records[1].time = Timestamp(nanoseconds: -1_000_000_000)
        try folder.logs.save(records)
        #expect(
            try folder.sql("SELECT time FROM log ORDER BY message")
                == "1969-12-31T23:59:59.999999999Z\n1969-12-31T23:59:59.000000000Z\n")
    }
}

/// Answers that would take too much memory or time.
@Suite(.mayBlock) struct LogStoreLimitTests {
    @Test func `of too many names, the most frequent ones are in the answer`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<41)
        for index in records.indices { records[index].logger = "net.\(min(index, 39))" }
        try folder.logs.save(records)
        let request = ValuesRequest("logger")
        let found = try folder.logReader.counts.read { db in
            try LogValues(request, LogPlan(request.selection, db), db, most: 1).answer()
        }
        #expect(found.distinct == 40)
        #expect(found.values == [FieldValues.Count(value: .string("net.39"), count: 2)])
    }

    @Test func `values beyond the memory for them are counted as such`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<600)
        for index in records.indices {
            records[index].attributes = [
                LogValueEntry("stack", .string(String(repeating: "at \(index) ", count: 2_000))),
                LogValueEntry("kind", .int(Int64(index % 3))),
            ]
        }
        try folder.logs.save(records)
        let found = try folder.logReader.values(ValuesRequest("stack"))
        #expect(found.uncounted > 100 && found.distinct + found.uncounted == 600)
        #expect(try folder.logReader.values(ValuesRequest("kind")).uncounted == 0)
        let answer = LogAPI(logStore: folder.file("logs.sqlite")).answer(
            path: "/api/values", parameters: [("field", "stack"), ("limit", "1")])
        let text = String(decoding: try #require(answer).body, as: UTF8.self)
        #expect(text.contains("\"uncounted\":"))
        // So is a page of long records: it is shorter, and the next ones have the rest.
        var request = RecordRequest()
        (request.limit, request.isNewestFirst) = (1_000, false)
        var messages: [String] = []
        var pages = 0
        repeat {
            let page = try folder.logReader.records(request)
            messages += page.records.map(\.message)
            request.cursor = page.next
            pages += 1
        } while request.cursor != nil
        #expect(messages == records.map(\.message) && pages > 1)
    }

    @Test func `tracks have as many positions as asked for, and report what was left out`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<500) + Points.line(0..<300, device: "tender"))
        let source = StoredTracks(try folder.reader)
        var request = TracksRequest()
        request.limit = 10
        let short = try source.tracks(request)
        #expect(short.tracks.reduce(0) { $0 + $1.points.count } <= 10 && short.tolerance > 0 && short.since == nil)
        #expect(short.tracks.map(\.total) == [500, 300])
        request = TracksRequest()
        request.effort = 50
        let recent = try source.tracks(request)
        #expect(recent.tracks.reduce(0) { $0 + $1.points.count } == 50 && recent.tolerance == 0 && recent.since != nil)
    }

    @Test func `an answer that is not needed any more ends with what was found, or with an error`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<5_000))
        let reader = try folder.logReader
        var budget = QueryBudget(.seconds(60))
        func inBudget<R>(_ body: () throws -> R) throws -> R { try budget.run { Result { try body() } }.get() }
        #expect(try inBudget { try reader.values(ValuesRequest("status")).since } == nil)
        budget = QueryBudget(.seconds(60), returning: .zero)
        #expect(try inBudget { try reader.values(ValuesRequest("status")).since } != nil)
        var request = RecordRequest(try LogSelection(parsing: "status=404"))
        let page = try inBudget { try reader.records(request) }
        #expect(page.records.isEmpty && page.next != nil && page.reached != nil)
        let id = try #require(try reader.records(RecordRequest()).records.first).id
        let around = try inBudget {
            try reader.records(around: id, before: 5, after: 5, matching: try LogSelection(parsing: "status=404"))
        }
        #expect(around?.before.isEmpty == true && around?.beforeReached != nil && around?.afterReached == nil)
        budget.cancel()
        let gone = #expect(throws: LogQueryError.self) { try inBudget { try reader.values(ValuesRequest("status")) } }
        #expect(gone?.kind == .tooLong)
        // Without a budget everything is as before.
        request.selection = try LogSelection(parsing: "line")
        #expect(try reader.records(request).records.count == 100)
    }

    @Test func `some long answers do not delay others`() throws {
        let folder = TemporaryDirectory()
        try folder.logs.save(LogLines.records(0..<10))
        let reader = try folder.logReader
        // Two of three connections are in use.
        let count = try reader.counts.read { _ in
            try reader.counts.read { _ in try reader.values(ValuesRequest("level")).values.first?.count }
        }
        #expect(count == 10)
        let error = #expect(throws: LogQueryError.self) {
            try reader.counts.read { _ in
                try reader.counts.read { _ in
                    try reader.counts.read { _ in
                        try QueryBudget(.zero).run { Result { try reader.values(ValuesRequest("level")) } }.get()
                    }
                }
            }
        }
        #expect(error?.kind == .unavailable)
    }

    @Test func `a histogram of all times that there are is answered`() throws {
        let folder = TemporaryDirectory()
        var records = LogLines.records(0..<2)
        records[0].time = Timestamp(nanoseconds: .min)
        records[1].time = Timestamp(nanoseconds: .max)
        try folder.logs.save(records)
        let api = LogAPI(logStore: folder.file("logs.sqlite"))
        for buckets in ["1", "2", "2000"] {
            for range in [[], [(name: "since", value: "1700-01-01"), (name: "until", value: "2262-01-01")]] {
                let answer = api.answer(path: "/api/histogram", parameters: [("buckets", buckets)] + range)
                #expect(answer?.status == 200)
            }
        }
    }
}
#endif
