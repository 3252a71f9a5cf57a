import Foundation
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailServer

/// What clients that watch the log get of a record, and how they select it.
@Suite struct LiveRecordTests {
    private static func json(_ record: LogRecord) throws -> [String: Any] {
        let bytes = StoredRecord(record, device: "").json
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private static let time = Timestamp(nanoseconds: 1_767_623_400_000_000_001)

    @Test func `a record of this program has its own time, run and number`() throws {
        var record = LogRecord(
            timestamp: Self.time, sequence: 7, run: RingID(0xAB), level: .notice, message: "left \"pier\"\n3",
            eventName: "pier.left", attributes: [LogValueEntry("n", 3), LogValueEntry("x", .double(.nan))],
            logger: "ferry.bridge")
        record.source = LogRecord.SourceLocation(file: "Ferry/Main.swift", function: "run()", line: 12)
        let text = String(decoding: StoredRecord(record, device: "").json, as: UTF8.self)
        let wanted =
            #"{"time":"2026-01-05T14:30:00.000000001Z","level":"notice","message":"left \"pier\"\n3","#
            + #""logger":"ferry.bridge","event":"pier.left","attributes":{"n":3,"x":"nan"},"file":"Ferry/Main.swift","#
            + #""line":12,"function":"run()","run":"\#(RingID(0xAB))","seq":7}"#
        #expect(text == wanted)
        #expect(
            try Self.json(LogRecord(level: .info, message: "m")).keys.sorted() == ["level", "message", "time"])
    }

    @Test func `a record from elsewhere has the time, device, run and number of its origin`() throws {
        let arrival = Self.time
        let line = #"""
            {"message":"m","time":"2026-01-05T14:29:00Z","seq":41,"run":"00000000000000ab","geo.location.lat":55.5,"geo.location.lon":12}
            """#
        let received = try ReceivedBody.lines.read(Array(line.utf8), Arrival(time: arrival, device: "ferry"))
        var record = try #require(received.records.first)
        (record.run, record.sequence) = (RingID(1), 9_007_199_254_740_993)
        let shown = try Self.json(record)
        #expect(shown["time"] as? String == "2026-01-05T14:29:00.000000000Z")
        #expect(shown["arrival"] as? String == "2026-01-05T14:30:00.000000001Z")
        #expect(shown["device"] as? String == "ferry" && shown["run"] as? String == "00000000000000ab")
        #expect(shown["seq"] as? Int == 41 && shown["lat"] as? Double == 55.5 && shown["lon"] as? Double == 12)
        #expect((shown["attributes"] as? [String: Any])?.keys.sorted() == ["geo.location.lat", "geo.location.lon"])
        record.attributes.removeAll { $0.key == OriginAttributes.sequence }
        let other = try Self.json(record)
        #expect(other["run"] as? String == "\(RingID(1))" && other["seq"] as? String == "9007199254740993")
    }

    private static func isSelected(_ query: String, _ record: LogRecord) throws -> Bool {
        let target = try #require(ServerTarget("/stream?" + query))
        return try LiveSelection(target.query).matches(StoredRecord(record, device: ""))
    }

    @Test func `records are selected by level, logger and device`() throws {
        let record = LogRecord(
            level: .warning, message: "m", attributes: [LogValueEntry(OriginAttributes.device, "ferry")],
            logger: "net.http")
        for (query, isWanted) in [
            ("", true), ("level=warning", true), ("level=error", false), ("logger=net", true), ("logger=ne", false),
            ("logger=net.http.client", false), ("logger=gps,net.http", true), ("device=ferry", true),
            ("device=tender,ferry", true), ("device=tender", false), ("level=info&device=ferry&logger=gps", false),
        ] { #expect(try Self.isSelected(query, record) == isWanted, "\(query)") }
        for query in ["level=loud", "logger=", "device=a,,b", "level=info&level=error", "limit=1"] {
            #expect(throws: Problem.self) { try Self.isSelected(query, record) }
        }
    }

    @Test func `records are selected by the queries of stored records`() throws {
        let record = LogRecord(
            level: .warning, message: "no answer", attributes: [LogValueEntry("status", 503)], logger: "net.http")
        #expect(try Self.isSelected("q=level>=warning+status>=500&logger=net", record))
        #expect(try !Self.isSelected("q=status<500", record) && !Self.isSelected("q=status>=500&level=error", record))
        let problem = #expect(throws: Problem.self) { try Self.isSelected("q=level>=loud", record) }
        #expect(problem?.status == 400 && problem?.detail.hasPrefix("q, character 8:") == true)
    }

    @Test func `names of devices are compared by their bytes`() throws {
        let record = LogRecord(
            level: .info, message: "m", attributes: [LogValueEntry(OriginAttributes.device, "caf\u{E9}")])
        #expect(try Self.isSelected("device=caf%C3%A9", record) && !Self.isSelected("device=cafe%CC%81", record))
    }

    @Test func `times without a zone are UTC, as in queries of stored records`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "EAST-05:30", 1)
            tzset()
            let record = LogRecord(timestamp: LiveRecordTests.time, level: .info, message: "m")
            let queries = ["since:2026-01-05T14:29", "since:2026-01-05T14:31", "until:2026-01-05T14:31"]
            let found = try queries.filter { try LiveRecordTests.isSelected("q=" + $0, record) }
            #expect(found == [queries[0], queries[2]])
        }
    }

    @Test func `an event id survives a round trip, and others are refused`() {
        let record = LogRecord(sequence: .max, run: RingID(7), level: .info, message: "m")
        #expect(LiveID(LiveID(record).text) == LiveID(record))
        for text in ["", "-", "7", "7-", "7-x", "7-1-2", "7--1"] { #expect(LiveID(text) == nil) }
    }
}
