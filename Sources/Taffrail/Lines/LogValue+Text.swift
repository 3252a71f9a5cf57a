extension LogValue: CustomStringConvertible {
    /// The value as a string: strings unchanged, numbers, `true` or `false`, base64 for bytes, RFC 3339 in UTC for a
    /// time; lists and maps as in JSON.
    public var description: String {
        if case .string(let text) = self { return text }
        var buffer = LineBuffer(capacity: 64)
        append(isQuoted: false, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Appends the value as a ``LineBuffer`` appends an encoded one.
    private func append(isQuoted: Bool = true, depth: Int = 0, to buffer: inout LineBuffer) {
        func append(_ kind: AttributeCodec.Kind, _ bytes: UnsafeRawBufferPointer) {
            let key = UnsafeRawBufferPointer(start: nil, count: 0)
            let entry = AttributeCodec.Entry(kind: kind, key: key, value: bytes)
            buffer.append(entry, by: QuoteEscape.self, isQuoted: isQuoted)
        }
        switch self {
        case .string(var text): text.withUTF8 { append(.string, UnsafeRawBufferPointer($0)) }
        case .int(let number): withUnsafeBytes(of: number) { append(.int, $0) }
        case .double(let number): withUnsafeBytes(of: number) { append(.double, $0) }
        case .bool(let flag): withUnsafeBytes(of: flag) { append(.bool, $0) }
        case .bytes(let bytes): bytes.withUnsafeBytes { append(.bytes, $0) }
        case .date(let time): withUnsafeBytes(of: time.nanoseconds) { append(.date, $0) }
        case .array(let elements):
            buffer.append("[")
            for (index, element) in elements.enumerated() where depth <= AttributeCodec.depthLimit {
                if index > 0 { buffer.append(",") }
                element.append(depth: depth + 1, to: &buffer)
            }
            buffer.append("]")
        case .map(let entries):
            buffer.append("{")
            for (index, entry) in entries.enumerated() where depth <= AttributeCodec.depthLimit {
                if index > 0 { buffer.append(",") }
                LogValue.string(entry.key).append(to: &buffer)
                buffer.append(":")
                entry.value.append(depth: depth + 1, to: &buffer)
            }
            buffer.append("}")
        }
    }
}
