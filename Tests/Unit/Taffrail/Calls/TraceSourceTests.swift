import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail

/// The trace that calls take from a pipeline's source.
@Suite(.mayBlock) struct TraceSourceTests {
    private let log = MemoryLog()
    private static let span = TraceContext(
        traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3), flags: [.sampled])

    @Test func `a record has the source's trace if neither it nor its task has one`() {
        let other = TraceContext(traceID: TraceContext.TraceID(high: 7, low: 8), spanID: TraceContext.SpanID(9))
        log.logger.info("before")
        log.pipeline.traceSource = { Self.span }
        log.logger.info("call")
        log.logger.with(["n": 1]).info("with attributes")
        log.logger.log(level: .info, event: "span", "event")
        Logger.withAttributes(["n": 1]) { log.logger.info("task without a trace") }
        log.logger.log(LogRecord(level: .info, message: "whole"))
        Logger.withTrace(other) { log.logger.info("task") }
        log.logger.log(LogRecord(level: .info, message: "its own", trace: other))
        log.logger.log(LogRecord(level: .info, message: "replayed"), ambient: false)
        log.pipeline.log(received: LogRecord(level: .info, message: "received"))
        log.pipeline.traceSource = { nil }
        log.logger.info("no span")
        log.pipeline.traceSource = nil
        log.logger.info("no source")
        let traces = log.records.map(\.trace)
        #expect(traces[0] == nil)
        #expect(traces[1...5].allSatisfy { $0 == Self.span })
        #expect(traces[6...7].allSatisfy { $0 == other })
        #expect(traces[8...].allSatisfy { $0 == nil } && traces.count == 12)
    }

    @Test func `a source may log; its own records have no trace`() {
        let logger = log.logger
        log.pipeline.traceSource = {
            logger.info("asked")
            return Self.span
        }
        log.logger.info("a \("call") with \(5) pieces", ["n": 5])
        #expect(log.messages == ["asked", "a call with 5 pieces"])
        #expect(log.records.map(\.trace) == [nil, Self.span])
        #expect(log.records.last?["n"] == 5)
    }

    @Test func `flags are written and read back in JSON and logfmt lines`() throws {
        let directory = TemporaryDirectory()
        for format in [FileOptions.Format.json, .logfmt] {
            let sink = try FileSink(FileOptions(path: directory.file("\(format)"), format: format))
            var buffer = RecordBuffer()
            for flags in [TraceContext.Flags.sampled, [], [.sampled, .random], TraceContext.Flags(rawValue: 0xFF)] {
                var trace = Self.span
                trace.flags = flags
                buffer.append(LogRecord(level: .info, message: "m", trace: trace))
            }
            try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
            try sink.close()
            let lines = directory.lines("\(format)")
            let flags = lines.map { line in
                line.split(whereSeparator: { ",} ".contains($0) }).first { $0.contains("trace_flags") }.map(String.init)
            }
            let texts = ["01", nil, "03", "ff"]
            #expect(
                flags
                    == texts.map { text in
                        text.map { format == .json ? "\"trace_flags\":\"\($0)\"" : "trace_flags=\($0)" }
                    })
        }
        #expect(
            TraceContext.Flags("01") == .sampled && TraceContext.Flags("1") == nil && TraceContext.Flags("+1") == nil)
    }
}
