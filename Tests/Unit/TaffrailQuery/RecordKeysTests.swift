import Foundation
import Taffrail
import TaffrailGeo
import TaffrailQuery
import TaffrailRecording
import Testing

/// The three forms of a record in JSON: a line of a log, an event of a recording, and an answer of the API.
@Suite struct RecordKeysTests {
    /// A record that has everything.
    private static let record = LogRecord(
        timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_001), sequence: 9_007_199_254_740_993,
        run: RingID(0xAB), level: .error, message: "no route", eventName: "route.lost",
        attributes: [LogValueEntry("status", 500)], logger: "net.http",
        source: LogRecord.SourceLocation(file: "App/Main.swift", function: "run()", line: 12),
        trace: TraceContext(
            traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3), flags: [.sampled, .random]))

    private func object(_ json: some Sequence<UInt8>) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    private func line() throws -> [String: Any] {
        var buffer = RecordBuffer(run: Self.record.run)
        buffer.append(Self.record)
        var text = LineBuffer()
        var encoder = JSONLineEncoder()
        buffer.withBatch { batch in batch.forEach { encoder.encode($0, into: &text) } }
        return try object(text.bytes)
    }

    @Test func `a recording has every key of a line, and the same values`() throws {
        let line = try line()
        var bytes: [UInt8] = []
        RecordingEncoder.append(
            RecordedEvent(timestamp: Self.record.timestamp, relativeTime: 0, event: .log(Self.record)), to: &bytes)
        let recorded = try #require(try object(bytes)["data"] as? [String: Any])
        // The time is that of the event.
        #expect(Set(recorded.keys).union(["time"]) == Set(line.keys))
        for (key, value) in recorded { #expect("\(value)" == line[key].map { "\($0)" }, "\(key)") }
        #expect(recorded["trace_flags"] as? String == "03" && recorded["seq"] as? Int == 9_007_199_254_740_993)
    }

    @Test func `an answer has every key of a line, and the same values`() throws {
        let line = try line()
        var record = StoredRecord(Self.record, device: "ferry")
        record.id = "1"
        record.arrival = Timestamp(nanoseconds: record.time.nanoseconds + 1)
        record.coordinate = Coordinate(latitude: 55.5, longitude: 12)
        var answered = try object(record.json)
        for key in ["id", "arrival", "device", "lat", "lon"] { #expect(answered.removeValue(forKey: key) != nil) }
        #expect(Set(answered.keys) == Set(line.keys))
        for (key, value) in answered { #expect("\(value)" == line[key].map { "\($0)" }, "\(key)") }
        #expect(answered["seq"] as? String == "9007199254740993" && answered["trace_flags"] as? String == "03")
    }
}
