/// The attributes of a record and the part of `key=value` lines that follows the message; each item follows a space.
extension LineBuffer {
    /// Appends the attributes.
    mutating func append(attributesOf record: borrowing RecordView) {
        var entries = record.entries
        while let entry = entries.next() {
            append(UInt8(ascii: " "))
            append(word: entry.key, by: QuoteEscape.self)
            append(UInt8(ascii: "="))
            append(wordOf: entry)
        }
    }

    /// Appends an attribute's value.
    @inline(__always)
    mutating func append(wordOf entry: AttributeCodec.Entry) {
        if entry.kind == .string {
            append(word: entry.value, by: QuoteEscape.self)
        } else {
            append(entry, by: QuoteEscape.self, isQuoted: false)
        }
    }

    /// Appends a value as in JSON: bytes in base64, dates as RFC 3339 in UTC, integers in full, even beyond 2^53.
    ///
    /// - Parameter isQuoted: Whether a string, bytes or a date is quoted. With `false` this value is not, but the
    ///   elements of a list or map are.
    mutating func append<Rule: EscapeRule>(
        _ entry: AttributeCodec.Entry, by rule: Rule.Type, isQuoted: Bool = true, depth: Int = 0
    ) {
        switch entry.kind {
        case .string: append(rarelyQuoted: entry.value, by: rule)
        case .int: append(decimal: entry.int)
        case .double:
            // JSON has no NaN and no infinities.
            let mark = isQuoted && rule.quotesNonFinite && !entry.double.isFinite
            if mark { append(UInt8(ascii: "\"")) }
            append(string: "\(entry.double)")
            if mark { append(UInt8(ascii: "\"")) }
        case .bool: append(entry.bool ? "true" : "false")
        case .bytes, .date:
            if isQuoted { append(UInt8(ascii: "\"")) }
            if entry.kind == .date { append(rfc3339: entry.int) } else { append(base64: entry.value) }
            if isQuoted { append(UInt8(ascii: "\"")) }
        case .array, .map:
            let isMap = entry.kind == .map
            append(UInt8(ascii: isMap ? "{" : "["))
            var rest = entry.value
            var isFirst = true
            while depth <= AttributeCodec.depthLimit, let element = AttributeCodec.next(&rest) {
                if !isFirst { append(UInt8(ascii: ",")) }
                isFirst = false
                if isMap {
                    append(rarelyQuoted: element.key, by: rule)
                    append(UInt8(ascii: ":"))
                }
                append(element, by: rule, depth: depth + 1)
            }
            append(UInt8(ascii: isMap ? "}" : "]"))
        }
    }

    /// Appends the event, the trace and the logger's name, if present.
    ///
    /// - Parameter hasFlags: Whether to append the trace's flags.
    mutating func append<Rule: EscapeRule>(
        tailOf record: borrowing RecordView, by rule: Rule.Type, hasFlags: Bool = true
    ) {
        let fields = record.fields
        if fields.eventLength > 0 {
            append(" event=")
            append(word: fields.event, by: rule)
        }
        if let trace = fields.trace {
            append(" trace_id=")
            append(trace, " span_id=", hasFlags ? " trace_flags=" : nil)
        }
        if fields.loggerLength > 0 {
            append(" logger=")
            append(word: fields.logger, by: rule)
        }
    }

    /// Appends a trace's identifiers with separators; flags only if the trace has any.
    @inline(__always)
    mutating func append(_ trace: TraceContext, _ span: StaticString, _ flags: StaticString?) {
        append(hexadecimal: trace.traceID.high, width: 16)
        append(hexadecimal: trace.traceID.low, width: 16)
        append(span)
        append(hexadecimal: trace.spanID.value, width: 16)
        if let flags, !trace.flags.isEmpty {
            append(flags)
            append(hexadecimal: UInt64(trace.flags.rawValue), width: 2)
        }
    }
}
