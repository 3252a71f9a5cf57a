extension LogValue: CustomStringConvertible {
    /// The value as text: text itself, numbers, `true` or `false`, base64 for bytes, RFC 3339 in UTC for a moment;
    /// lists and maps as in JSON.
    public var description: String {
        if case .string(let text) = self { return text }
        var buffer = LineBuffer(capacity: 64)
        Self.append(self, isNested: false, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private static func append(_ value: LogValue, isNested: Bool, to buffer: inout LineBuffer) {
        switch value {
        case .string(let text): append(quoted: text, to: &buffer)
        case .int(let number): buffer.append(decimal: number)
        case .double(let number): buffer.append(string: number.description)
        case .bool(let flag): buffer.append(flag ? "true" : "false")
        case .bytes, .date:
            if isNested { buffer.append(UInt8(ascii: "\"")) }
            if case .bytes(let bytes) = value { bytes.withUnsafeBytes { buffer.append(base64: $0) } }
            if case .date(let moment) = value { TimestampText.appendRFC3339(moment.nanoseconds, to: &buffer) }
            if isNested { buffer.append(UInt8(ascii: "\"")) }
        case .array(let elements):
            buffer.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                append(element, isNested: true, to: &buffer)
            }
            buffer.append(UInt8(ascii: "]"))
        case .map(let entries):
            buffer.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                append(quoted: entry.key, to: &buffer)
                buffer.append(UInt8(ascii: ":"))
                append(entry.value, isNested: true, to: &buffer)
            }
            buffer.append(UInt8(ascii: "}"))
        }
    }

    private static func append(quoted text: String, to buffer: inout LineBuffer) {
        var text = text
        text.withUTF8 { TextWord.appendQuoted(UnsafeRawBufferPointer($0), by: QuoteEscape.self, to: &buffer) }
    }
}
