#if Journald
import Taffrail
import TaffrailJournald
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// A real journald, read back with libsystemd. Its entries are on disk, so it can be stopped and started.
private final class JournaldSubject: SinkSubject {
    private let journald: PrivateJournald

    init() throws { journald = try PrivateJournald("rules-\(UInt16.random(in: 0 ... .max))") }

    var keeps: RecordParts { RecordParts.all.subtracting(.attributes) }

    func makeSink() throws -> any Sink {
        JournaldSink(
            JournaldOptions(socket: journald.socket, fallback: false), name: "journald", program: "rules",
            fallbackName: ""
        ) { () throws(SinkError) in throw .temporary("there is none") }
    }

    func records() throws -> [LogRecord] {
        try journald.entries(where: "SYSLOG_IDENTIFIER=rules").map { entry in
            var record = LogRecord(
                timestamp: Timestamp(nanoseconds: Int64(entry.text("TAFFRAIL_TIME") ?? "") ?? 0),
                sequence: UInt64(entry.text("TAFFRAIL_SEQ") ?? "") ?? 0,
                run: RingID(entry.text("TAFFRAIL_RUN") ?? "") ?? .none,
                level: try #require(Level(name: entry.text("LEVEL") ?? "")), message: entry.text("MESSAGE") ?? "",
                eventName: entry.text("EVENT"), logger: entry.text("LOGGER") ?? "")
            if let file = entry.text("CODE_FILE"), let function = entry.text("CODE_FUNC") {
                record.source = LogRecord.SourceLocation(
                    file: file, function: function, line: UInt32(entry.text("CODE_LINE") ?? "") ?? 0)
            }
            if let trace = TraceContext.TraceID(entry.text("TRACE_ID") ?? ""),
                let span = TraceContext.SpanID(entry.text("SPAN_ID") ?? "")
            {
                record.trace = TraceContext(traceID: trace, spanID: span)
            }
            return record
        }
    }

    func interrupt() async throws -> Bool {
        journald.stop()
        return true
    }

    func restore() async throws { try journald.start() }
}

@Suite(
    .mayBlock, .serialized,
    .enabled(if: PrivateJournald.isPossible, "a private journald needs root and systemd-journald"))
struct JournaldRules {
    @Test(arguments: SinkRule.all) func `journald keeps every rule`(rule: SinkRule) async throws {
        try await rule.check(JournaldSubject())
    }
}
#endif
