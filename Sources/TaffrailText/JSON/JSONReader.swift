/// Reads JSON (RFC 8259) token by token, from memory or from a stream of any length, in constant memory.
///
/// Strict: one value, no trailing commas, no raw control characters in strings, no numbers beyond the range of Double.
/// Nesting is limited to 64 levels, a single string or number to the window's size. ``init(line:)`` also accepts JSON
/// that RFC 8259 forbids but other programs write.
package struct JSONReader: ~Copyable {
    package var window: ByteWindow
    /// For each open level, starting with the lowest bit: whether it is an object.
    private var kinds: UInt64 = 0
    private(set) var depth = 0
    private var expected = Expected.value
    /// The range of the token's text in the window, without the quotes of a string.
    package private(set) var textStart = 0
    package private(set) var textEnd = 0
    package private(set) var hasEscapes = false
    /// The value of a number token.
    package private(set) var number = 0.0
    /// The offset in the stream at which the token starts.
    package private(set) var tokenOffset = 0
    /// The number of bytes of skipped values.
    package var skippedBytes = 0

    /// Whether strings must be UTF-8. Otherwise invalid bytes become U+FFFD.
    private let isStrict: Bool
    /// Whether to accept JSON that RFC 8259 forbids but many programs write.
    private let isLenient: Bool

    /// The maximum nesting.
    static let depthLimit = 64

    private enum Expected { case value, valueOrEnd, keyOrEnd, key, commaOrEnd, end }

    /// Reads JSON in memory.
    package init(_ bytes: some Collection<UInt8>, isStrict: Bool = true) {
        window = ByteWindow(bytes)
        self.isStrict = isStrict
        isLenient = false
    }

    /// Reads a line of a log in place: `line` must exist as long as the reader does.
    ///
    /// Accepts control characters, unknown escapes and `\u{1b}` (as in text lines) in strings, and every decimal number
    /// that Swift parses, such as `+1` or `.5`. Bytes that are not UTF-8 become U+FFFD.
    package init(line: UnsafeRawBufferPointer) {
        window = ByteWindow(borrowing: line)
        isStrict = false
        isLenient = true
    }

    /// Reads a stream; strings are limited to `maximum` bytes.
    package init(_ source: any ByteSource, maximum: Int = 16 << 20) {
        window = ByteWindow(source, maximum: maximum)
        isStrict = true
        isLenient = false
    }

    /// Skips a UTF-8 byte order mark; before the first token.
    package mutating func skipByteOrderMark() throws(ReadError) {
        var start = 0
        while window.count < 3 { guard try window.more(keeping: &start) else { return } }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if window.position == 0, UnsafeBufferPointer(start: window.base, count: 3).elementsEqual(mark) {
            window.position = 3
        }
    }

    /// Advances to the next token.
    package mutating func next() throws(ReadError) -> JSONToken {
        var byte = try skipSpace()
        if expected == .commaOrEnd {
            if byte == UInt8(ascii: ",") {
                window.position += 1
                byte = try skipSpace()
                expected = isInObject ? .key : .value
            } else if byte != (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                throw unexpected(byte, isInObject ? "a comma or }" : "a comma or ]")
            }
        }
        tokenOffset = window.streamOffset
        switch expected {
        case .end:
            guard byte == nil else { throw unexpected(byte, "the end") }
            return .end
        case .commaOrEnd: return close(object: isInObject)
        case .keyOrEnd where byte == UInt8(ascii: "}"): return close(object: true)
        case .valueOrEnd where byte == UInt8(ascii: "]"): return close(object: false)
        case .keyOrEnd, .key: return try key(byte)
        case .value, .valueOrEnd: return try value(byte)
        }
    }

    /// Skips the value that starts with `token`.
    package mutating func skip(_ token: JSONToken) throws(ReadError) {
        guard token == .beginObject || token == .beginArray else { return }
        let level = depth
        while depth >= level { _ = try next() }
    }

    /// Returns an error at the token.
    package func error(_ reason: String) -> ReadError {
        ReadError(offset: tokenOffset, line: window.line, reason: reason)
    }

    private var isInObject: Bool { depth > 0 && kinds & (1 << UInt64(depth - 1)) != 0 }

    private func unexpected(_ byte: UInt8?, _ wanted: String) -> ReadError {
        guard let byte else { return window.truncated("the input ends; expected \(wanted)") }
        let seen = byte > 32 && byte < 127 ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
        return window.error("\(seen) instead of \(wanted)")
    }

    private mutating func close(object: Bool) -> JSONToken {
        window.position += 1
        depth -= 1
        expected = depth == 0 ? .end : .commaOrEnd
        return object ? .endObject : .endArray
    }

    private mutating func open(object: Bool) throws(ReadError) -> JSONToken {
        guard depth < Self.depthLimit else { throw window.error("nested deeper than \(Self.depthLimit) levels") }
        window.position += 1
        let bit: UInt64 = 1 << UInt64(depth)
        kinds = object ? kinds | bit : kinds & ~bit
        depth += 1
        expected = object ? .keyOrEnd : .valueOrEnd
        return object ? .beginObject : .beginArray
    }

    private mutating func key(_ byte: UInt8?) throws(ReadError) -> JSONToken {
        guard byte == UInt8(ascii: "\"") else { throw unexpected(byte, "a name in quotes") }
        try string()
        // Look beyond the name without losing its text.
        var start = textStart
        let length = textEnd - textStart
        while true {
            if window.position == window.count {
                guard try window.more(keeping: &start) else { throw unexpected(nil, "a colon") }
                continue
            }
            let byte = window.base[window.position]
            if byte == UInt8(ascii: ":") { break }
            guard Self.isSpace(byte) else { throw unexpected(byte, "a colon") }
            if byte == UInt8(ascii: "\n") { window.line += 1 }
            window.position += 1
        }
        window.position += 1
        textStart = start
        textEnd = start + length
        expected = .value
        return .key
    }

    private mutating func value(_ byte: UInt8?) throws(ReadError) -> JSONToken {
        guard let byte else { throw unexpected(nil, "a value") }
        switch byte {
        case UInt8(ascii: "{"): return try open(object: true)
        case UInt8(ascii: "["): return try open(object: false)
        default: break
        }
        let token: JSONToken
        switch byte {
        case UInt8(ascii: "\""):
            try string()
            token = .string
        case UInt8(ascii: "t"): token = try word("true", .true)
        case UInt8(ascii: "f"): token = try word("false", .false)
        case UInt8(ascii: "n"): token = try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try scanNumber()
            token = .number
        default:
            guard isLenient else { throw unexpected(byte, "a value") }
            try scanNumber()
            token = .number
        }
        expected = depth == 0 ? .end : .commaOrEnd
        return token
    }

    private mutating func skipSpace() throws(ReadError) -> UInt8? {
        while true {
            while window.position < window.count {
                let byte = window.base[window.position]
                guard Self.isSpace(byte) else { return byte }
                if byte == UInt8(ascii: "\n") { window.line += 1 }
                window.position += 1
            }
            guard try window.refill() else { return nil }
        }
    }

    @inline(__always)
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Finds the end of a string; moves `position` from its opening quote to the byte after the closing one.
    private mutating func string() throws(ReadError) {
        var start = window.position
        var index = start + 1
        hasEscapes = false
        var union: UInt8 = 0
        while true {
            guard index < window.count else {
                let length = index - start
                guard try window.more(keeping: &start) else { throw window.truncated("an unterminated string") }
                index = start + length
                continue
            }
            let byte = window.base[index]
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                index += 2
            } else if byte < 0x20 && !isLenient {
                throw window.error("a control character in a string")
            } else {
                union |= byte
                index += 1
            }
        }
        textStart = start + 1
        textEnd = index
        if hasEscapes { try checkEscapes() }
        if isStrict && union >= 0x80 && String(validating: textBytes, as: UTF8.self) == nil {
            throw window.error("a string that is not UTF-8")
        }
        window.position = index + 1
    }

    private func checkEscapes() throws(ReadError) {
        guard JSONText.isEscapedRight(textBytes, isLenient: isLenient) else {
            throw window.error("an invalid escape in a string")
        }
    }

    private mutating func word(_ word: StaticString, _ token: JSONToken) throws(ReadError) -> JSONToken {
        var start = window.position
        while window.count - start < word.utf8CodeUnitCount {
            guard try window.more(keeping: &start) else { throw window.truncated("the input ends inside a word") }
        }
        let bytes = UnsafeBufferPointer(start: window.base + start, count: word.utf8CodeUnitCount)
        guard bytes.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) else {
            throw window.error("an unknown word instead of a value")
        }
        window.position = start + word.utf8CodeUnitCount
        return token
    }

    private mutating func scanNumber() throws(ReadError) {
        var start = window.position
        var index = start
        while true {
            guard index < window.count else {
                let length = index - start
                let hasMore = try window.more(keeping: &start)
                index = start + length
                if hasMore { continue } else { break }
            }
            let byte = window.base[index]
            // All characters of numbers; the grammar is checked below.
            guard
                byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            else { break }
            index += 1
        }
        textStart = start
        textEnd = index
        hasEscapes = false
        let text = UnsafeBufferPointer(start: window.base + start, count: index - start)
        guard let value = isLenient ? JSONText.lenientNumber(text) : JSONText.number(text) else {
            throw window.error("a malformed number, or one beyond the range of Double")
        }
        number = value
        window.position = index
    }
}
