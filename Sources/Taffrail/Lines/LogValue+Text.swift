extension LogValue: CustomStringConvertible {
    /// The value as a string: strings unchanged, numbers, `true` or `false`, base64 for bytes, RFC 3339 in UTC for a
    /// time; lists and maps as in JSON.
    public var description: String {
        if case .string(let text) = self { return text }
        var buffer = LineBuffer(capacity: 64)
        ValueText.append(self, by: QuoteEscape.self, isQuoted: false, to: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension LogValue: ReadableValue {
    var kind: AttributeCodec.Kind {
        switch self {
        case .string: .string
        case .int: .int
        case .double: .double
        case .bool: .bool
        case .bytes: .bytes
        case .date: .date
        case .array: .array
        case .map: .map
        }
    }

    var int: Int64 {
        switch self {
        case .int(let number): number
        case .date(let time): time.nanoseconds
        default: 0
        }
    }

    var double: Double { if case .double(let number) = self { number } else { 0 } }
    var bool: Bool { self == .bool(true) }

    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch self {
        case .string(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): bytes.withUnsafeBytes(body)
        default: break
        }
    }

    func forEachElement(_ body: (UnsafeRawBufferPointer, LogValue) -> Void) {
        switch self {
        case .array(let elements):
            for element in elements { body(UnsafeRawBufferPointer(start: nil, count: 0), element) }
        case .map(let entries):
            for entry in entries {
                var key = entry.key
                key.withUTF8 { body(UnsafeRawBufferPointer($0), entry.value) }
            }
        default: break
        }
    }
}
