internal import Taffrail
internal import TaffrailText

/// Decodes the log records of a recording.
enum LogDecoder {
    /// Decodes the member whose name is the reader's current token, if it belongs to a log record.
    ///
    /// - Returns: `false` for other names, with nothing read.
    static func member(_ reader: inout JSONReader, _ record: inout LogRecord) throws(ReadError) -> Bool {
        if reader.isText("level") {
            record.level = try reader.optionalText().flatMap { Level(name: $0) } ?? .info
        } else if reader.isText("message") {
            record.message = try reader.optionalText() ?? ""
        } else if reader.isText("logger") {
            record.logger = try reader.optionalText() ?? ""
        } else if reader.isText("event") {
            record.eventName = try reader.optionalText()
        } else if reader.isText("attributes") {
            if case .map(let entries) = try reader.value() { record.attributes = entries }
        } else if reader.isText("trace_id") {
            if let text = try reader.optionalText(), let trace = TraceContext.TraceID(text) {
                record.trace = TraceContext(
                    traceID: trace, spanID: record.trace?.spanID ?? TraceContext.SpanID(0),
                    flags: record.trace?.flags ?? [])
            }
        } else if reader.isText("span_id") {
            if let text = try reader.optionalText(), let span = TraceContext.SpanID(text) {
                record.trace = TraceContext(
                    traceID: record.trace?.traceID ?? TraceContext.TraceID(high: 0, low: 0), spanID: span,
                    flags: record.trace?.flags ?? [])
            }
        } else if reader.isText("trace_flags") {
            if let text = try reader.optionalText(), let flags = TraceContext.Flags(text) {
                record.trace?.flags = flags
            }
        } else if reader.isText("file") {
            if let text = try reader.optionalText() { source(&record) { $0.file = text } }
        } else if reader.isText("function") {
            if let text = try reader.optionalText() { source(&record) { $0.function = text } }
        } else if reader.isText("line") {
            if let line = try reader.optionalNumber().flatMap({ UInt32(exactly: $0) }) {
                source(&record) { $0.line = line }
            }
        } else if reader.isText("seq") {
            // Not every number above 2⁵³ is a Double.
            let number = try reader.optionalNumber()
            record.sequence = number.flatMap { UInt64(reader.text) ?? UInt64(exactly: $0) } ?? 0
        } else if reader.isText("run") {
            record.run = try reader.optionalText().flatMap { RingID($0) } ?? .none
        } else {
            return false
        }
        return true
    }

    private static func source(_ record: inout LogRecord, _ change: (inout LogRecord.SourceLocation) -> Void) {
        var source = record.source ?? LogRecord.SourceLocation(file: "", function: "", line: 0)
        change(&source)
        record.source = source
    }
}
