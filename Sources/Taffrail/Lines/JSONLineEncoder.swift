/// Encodes records as JSON objects, one on each line.
///
/// Keys, in this order: `time` (RFC 3339 in UTC), `level` (`info`), `message`, `logger`, `event`, `attributes` (an
/// object), `trace_id`, `span_id`, `trace_flags` (two hexadecimal digits), `file`, `line`, `function`, `seq` (the
/// number within the run), `run`. Except for the first three, keys without a value are omitted. NaN and the infinities
/// become the strings `nan`, `inf` and `-inf`, because JSON has no such numbers.
package struct JSONLineEncoder: LineEncoding {
    private var time: TimestampFormatter
    private var ending = JSONLineEnding()
    private let sources = JSONSourceCache()

    /// Creates an encoder.
    ///
    /// - Parameter precision: The digits of the fraction of a second. Default nanoseconds.
    package init(precision: LineOptions.Precision = .nanoseconds) {
        time = TimestampFormatter(.utc, .rfc3339, precision)
    }

    @inline(__always)
    package mutating func encode(_ record: borrowing RecordView, into buffer: inout LineBuffer) {
        let fields = record.fields
        buffer.append("{\"time\":\"")
        time.append(fields.timestamp, to: &buffer)
        // Each a constant, so that it is stored in whole words.
        switch fields.level {
        case .trace: buffer.append("\",\"level\":\"trace\",\"message\":\"")
        case .debug: buffer.append("\",\"level\":\"debug\",\"message\":\"")
        case .info: buffer.append("\",\"level\":\"info\",\"message\":\"")
        case .notice: buffer.append("\",\"level\":\"notice\",\"message\":\"")
        case .warning: buffer.append("\",\"level\":\"warning\",\"message\":\"")
        case .error: buffer.append("\",\"level\":\"error\",\"message\":\"")
        case .critical: buffer.append("\",\"level\":\"critical\",\"message\":\"")
        }
        buffer.append(fields.message, by: JSONEscape.self)
        buffer.append(UInt8(ascii: "\""))
        appendRest(record, to: &buffer)
        ending.append(fields.sequence, record.run, to: &buffer)
    }

    @inline(never)
    private func appendRest(_ record: borrowing RecordView, to buffer: inout LineBuffer) {
        let fields = record.fields
        if fields.loggerLength > 0 {
            buffer.append(",\"logger\":")
            buffer.append(quoted: fields.logger, by: JSONEscape.self)
        }
        if fields.eventLength > 0 {
            buffer.append(",\"event\":")
            buffer.append(quoted: fields.event, by: JSONEscape.self)
        }
        if fields.hasAttributes { Self.appendAttributes(record, to: &buffer) }
        if let trace = fields.trace {
            buffer.append(",\"trace_id\":\"")
            buffer.append(trace, "\",\"span_id\":\"", "\",\"trace_flags\":\"")
            buffer.append(UInt8(ascii: "\""))
        }
        let names = record.sourceNames
        if names.fileLength > 0 { sources.append(names, line: fields.line, to: &buffer) }
    }

    @inline(never)
    private static func appendAttributes(_ record: borrowing RecordView, to buffer: inout LineBuffer) {
        buffer.append(",\"attributes\":{")
        var entries = record.entries
        var isFirst = true
        while let entry = entries.next() {
            if !isFirst { buffer.append(UInt8(ascii: ",")) }
            isFirst = false
            buffer.append(quoted: entry.key, by: JSONEscape.self)
            buffer.append(UInt8(ascii: ":"))
            if entry.kind == .string {
                buffer.append(quoted: entry.value, by: JSONEscape.self)
            } else {
                buffer.append(entry, by: JSONEscape.self)
            }
        }
        buffer.append(UInt8(ascii: "}"))
    }
}
