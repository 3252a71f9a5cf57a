/// The part of `key=value` lines that follows the message; each item follows a space.
enum LineTail {
    /// Appends the attributes.
    static func append(attributesOf record: borrowing RecordView, to buffer: inout LineBuffer) {
        var entries = record.entries
        while let entry = entries.next() {
            buffer.append(UInt8(ascii: " "))
            TextWord.append(entry.key, quotedBy: QuoteEscape.self, to: &buffer)
            buffer.append(UInt8(ascii: "="))
            append(wordOf: entry, to: &buffer)
        }
    }

    /// Appends an attribute's value.
    @inline(__always)
    static func append(wordOf entry: AttributeCodec.Entry, to buffer: inout LineBuffer) {
        if entry.kind == .string {
            TextWord.append(entry.value, quotedBy: QuoteEscape.self, to: &buffer)
        } else {
            ValueText.append(entry, by: QuoteEscape.self, isQuoted: false, to: &buffer)
        }
    }

    /// Appends the event, the trace and the logger's name, if present.
    ///
    /// - Parameter hasFlags: Whether to append the trace's flags.
    static func append<Rule: EscapeRule>(
        _ record: borrowing RecordView, quotedBy rule: Rule.Type, hasFlags: Bool = true, to buffer: inout LineBuffer
    ) {
        let fields = record.fields
        if fields.eventLength > 0 {
            buffer.append(" event=")
            TextWord.append(fields.event, quotedBy: rule, to: &buffer)
        }
        if let trace = fields.trace {
            buffer.append(" trace_id=")
            append(trace, " span_id=", hasFlags ? " trace_flags=" : nil, to: &buffer)
        }
        if fields.loggerLength > 0 {
            buffer.append(" logger=")
            TextWord.append(fields.logger, quotedBy: rule, to: &buffer)
        }
    }

    /// Appends a trace's identifiers with separators; flags only if the trace has any.
    @inline(__always)
    static func append(
        _ trace: TraceContext, _ span: StaticString, _ flags: StaticString?, to buffer: inout LineBuffer
    ) {
        buffer.append(hexadecimal: trace.traceID.high, width: 16)
        buffer.append(hexadecimal: trace.traceID.low, width: 16)
        buffer.append(span)
        buffer.append(hexadecimal: trace.spanID.value, width: 16)
        if let flags, !trace.flags.isEmpty {
            buffer.append(flags)
            buffer.append(hexadecimal: UInt64(trace.flags.rawValue), width: 2)
        }
    }
}
