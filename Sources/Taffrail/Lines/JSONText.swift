/// How text stands in JSON (RFC 8259), on one line and without anything that turns the direction of writing.
enum JSONEscape: EscapeRule {
    @inline(__always)
    static func isSpecial(_ word: UInt64) -> Bool { QuoteEscape.isSpecial(word) }

    @inline(__always)
    static func isSpecial(_ bytes: UnsafeRawPointer) -> Bool { QuoteEscape.isSpecial(bytes) }

    @inline(__always)
    static func staysAsIs(_ byte: UInt8) -> Bool { QuoteEscape.staysAsIs(byte) }

    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        switch scalar {
        case nil: buffer.append("\u{FFFD}")
        case 0x22: buffer.append("\\\"")
        case 0x5C: buffer.append("\\\\")
        case 0x08: buffer.append("\\b")
        case 0x09: buffer.append("\\t")
        case 0x0A: buffer.append("\\n")
        case 0x0C: buffer.append("\\f")
        case 0x0D: buffer.append("\\r")
        case .some(let scalar) where EscapedText.mustBeEscaped(scalar):
            // All of them lie in the first plane.
            buffer.append("\\u")
            buffer.append(hexadecimal: UInt64(scalar), width: 4)
        default: buffer.append(bytes)
        }
    }
}

/// Values of attributes in JSON.
///
/// Bytes are base64 and dates RFC 3339 in UTC, both as strings; not-a-number and the infinities are the strings `nan`,
/// `inf` and `-inf`, because JSON has no such numbers. Whole numbers are written in full, also beyond 2^53.
enum JSONText {
    /// Appends a string with its quotes.
    @inline(__always)
    static func append(string: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        buffer.append(UInt8(ascii: "\""))
        EscapedText.append(string, by: JSONEscape.self, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a key with its quotes, and the colon.
    @inline(__always)
    static func append(key: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        append(string: key, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
    }

    /// Appends an attribute's value.
    @inline(__always)
    static func append(_ entry: AttributeCodec.Entry, to buffer: inout LineBuffer) {
        switch entry.kind {
        case .string: append(string: entry.value, to: &buffer)
        case .int: buffer.append(decimal: entry.int)
        default: append(rare: entry, depth: 0, to: &buffer)
        }
    }

    private static func append(rare entry: AttributeCodec.Entry, depth: Int, to buffer: inout LineBuffer) {
        switch entry.kind {
        case .string: append(string: entry.value, to: &buffer)
        case .int: buffer.append(decimal: entry.int)
        case .double: append(entry.double, to: &buffer)
        case .bool: buffer.append(entry.bool ? "true" : "false")
        case .bytes:
            buffer.append(UInt8(ascii: "\""))
            buffer.append(base64: entry.value)
            buffer.append(UInt8(ascii: "\""))
        case .date:
            buffer.append(UInt8(ascii: "\""))
            TimestampText.appendRFC3339(entry.int, to: &buffer)
            buffer.append(UInt8(ascii: "\""))
        case .array, .map:
            let isMap = entry.kind == .map
            buffer.append(isMap ? UInt8(ascii: "{") : UInt8(ascii: "["))
            var rest = entry.value
            var isFirst = true
            while depth <= AttributeCodec.depthLimit, let element = AttributeCodec.next(&rest) {
                if !isFirst { buffer.append(UInt8(ascii: ",")) }
                isFirst = false
                if isMap { append(key: element.key, to: &buffer) }
                append(rare: element, depth: depth + 1, to: &buffer)
            }
            buffer.append(isMap ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        }
    }

    private static func append(_ number: Double, to buffer: inout LineBuffer) {
        if number.isFinite {
            buffer.append(string: "\(number)")
        } else {
            buffer.append(UInt8(ascii: "\""))
            buffer.append(string: "\(number)")
            buffer.append(UInt8(ascii: "\""))
        }
    }
}
