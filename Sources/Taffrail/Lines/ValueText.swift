/// Values as text, escaped by a rule.
///
/// Bytes are base64 and dates RFC 3339 in UTC. Integers are written in full, even beyond 2^53.
enum ValueText {
    /// Appends a value as in JSON.
    ///
    /// - Parameter isQuoted: Whether a string, bytes or a date is quoted. With `false` this value is not, but the
    ///   elements of a list or map are.
    static func append<Rule: EscapeRule>(
        _ entry: AttributeCodec.Entry, by rule: Rule.Type, isQuoted: Bool = true, depth: Int = 0,
        to buffer: inout LineBuffer
    ) {
        switch entry.kind {
        case .string: TextWord.appendQuoted(entry.value, by: rule, to: &buffer)
        case .int: buffer.append(decimal: entry.int)
        case .double:
            // JSON has no NaN and no infinities.
            let mark = isQuoted && rule == JSONEscape.self && !entry.double.isFinite
            if mark { buffer.append(UInt8(ascii: "\"")) }
            buffer.append(string: "\(entry.double)")
            if mark { buffer.append(UInt8(ascii: "\"")) }
        case .bool: buffer.append(entry.bool ? "true" : "false")
        case .bytes, .date:
            if isQuoted { buffer.append(UInt8(ascii: "\"")) }
            if entry.kind == .date { buffer.append(rfc3339: entry.int) } else { buffer.append(base64: entry.value) }
            if isQuoted { buffer.append(UInt8(ascii: "\"")) }
        case .array, .map:
            let isMap = entry.kind == .map
            buffer.append(UInt8(ascii: isMap ? "{" : "["))
            var rest = entry.value
            var isFirst = true
            while depth <= AttributeCodec.depthLimit, let element = AttributeCodec.next(&rest) {
                if !isFirst { buffer.append(UInt8(ascii: ",")) }
                isFirst = false
                if isMap {
                    TextWord.appendQuoted(element.key, by: rule, to: &buffer)
                    buffer.append(UInt8(ascii: ":"))
                }
                append(element, by: rule, depth: depth + 1, to: &buffer)
            }
            buffer.append(UInt8(ascii: isMap ? "}" : "]"))
        }
    }
}
