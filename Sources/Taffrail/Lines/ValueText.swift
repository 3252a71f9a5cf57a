/// Values as text, escaped by a rule.
///
/// Bytes are base64 and dates RFC 3339 in UTC. Integers are written in full, even beyond 2^53.
enum ValueText {
    /// Appends a value as in JSON.
    ///
    /// - Parameter isQuoted: Whether a string, bytes or a date is quoted. With `false` this value is not, but the
    ///   elements of a list or map are.
    static func append<Rule: EscapeRule>(
        _ value: some ReadableValue, by rule: Rule.Type, isQuoted: Bool = true, depth: Int = 0,
        to buffer: inout LineBuffer
    ) {
        switch value.kind {
        case .string: value.withBytes { TextWord.appendQuoted($0, by: rule, to: &buffer) }
        case .int: buffer.append(decimal: value.int)
        case .double:
            // JSON has no NaN and no infinities.
            let mark = isQuoted && rule == JSONEscape.self && !value.double.isFinite
            if mark { buffer.append(UInt8(ascii: "\"")) }
            buffer.append(string: "\(value.double)")
            if mark { buffer.append(UInt8(ascii: "\"")) }
        case .bool: buffer.append(value.bool ? "true" : "false")
        case .bytes, .date:
            if isQuoted { buffer.append(UInt8(ascii: "\"")) }
            if value.kind == .date {
                buffer.append(rfc3339: value.int)
            } else {
                value.withBytes { buffer.append(base64: $0) }
            }
            if isQuoted { buffer.append(UInt8(ascii: "\"")) }
        case .array, .map:
            let isMap = value.kind == .map
            buffer.append(UInt8(ascii: isMap ? "{" : "["))
            var isFirst = true
            value.forEachElement { key, element in
                guard depth <= AttributeCodec.depthLimit else { return }
                if !isFirst { buffer.append(UInt8(ascii: ",")) }
                isFirst = false
                if isMap {
                    TextWord.appendQuoted(key, by: rule, to: &buffer)
                    buffer.append(UInt8(ascii: ":"))
                }
                append(element, by: rule, depth: depth + 1, to: &buffer)
            }
            buffer.append(UInt8(ascii: isMap ? "}" : "]"))
        }
    }
}
