internal import CTaffrail

/// An escaping rule for text in a line. The tests are by default those of a quoted string, in which double quotes and
/// backslashes are special.
protocol EscapeRule {
    /// Returns whether one of eight bytes needs a closer look. May return true for bytes that need none, but never
    /// false for one that does.
    static func isSpecial(_ word: UInt64) -> Bool
    /// Returns the same for the 32 bytes at an address.
    static func isSpecial(_ bytes: UnsafeRawPointer) -> Bool
    /// Returns whether an ASCII character is copied unchanged.
    static func staysAsIs(_ byte: UInt8) -> Bool
    /// Whether NaN and infinities are written in quotes, because the format has no numbers for them.
    static var quotesNonFinite: Bool { get }
    /// Appends a character that is not: its escape, or its bytes if it needs none after all. `nil` represents a byte
    /// that is not UTF-8.
    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer)
}

extension EscapeRule {
    @inline(__always)
    static var quotesNonFinite: Bool { false }

    @inline(__always)
    static func isSpecial(_ word: UInt64) -> Bool {
        EightBytes.hasByte(
            below: 0x20,
            orMarked: EightBytes.equal(UInt8(ascii: "\""), word) | EightBytes.equal(UInt8(ascii: "\\"), word), word)
    }

    @inline(__always)
    static func isSpecial(_ bytes: UnsafeRawPointer) -> Bool { taffrail_has_unprintable_or_quote(bytes) != 0 }

    @inline(__always)
    static func staysAsIs(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

/// Keeps text on one line, and prevents it from changing the appearance of the rest of the line.
///
/// Every format escapes control characters (C0 except TAB, DEL, C1 with U+0085), the line and paragraph separators
/// U+2028 and U+2029, and characters that change the direction of text (U+061C, U+200E, U+200F, U+202A to U+202E,
/// U+2066 to U+2069). Bytes that are not UTF-8 become U+FFFD.
package enum EscapedText {
    /// Copies text up to a character that may need an escape, to memory with room for all of it; 32 bytes at a time.
    ///
    /// - Returns: The number of bytes copied.
    @inline(__always)
    static func copy<Rule: EscapeRule>(
        _ text: UnsafeRawBufferPointer, by rule: Rule.Type, to: UnsafeMutableRawPointer
    ) -> Int {
        guard let from = text.baseAddress else { return 0 }
        let count = text.count
        var offset = 0
        if count >= 32 {
            let last = count &- 32
            while offset < last {
                if Rule.isSpecial(from + offset) { return offset }
                (to + offset).copy32(from: from + offset)
                offset &+= 32
            }
            // The last 32 bytes, some of which may already have been copied.
            if Rule.isSpecial(from + last) { return offset }
            (to + last).copy32(from: from + last)
        } else if count >= 8 {
            let last = count &- 8
            while offset < last {
                let word = (from + offset).loadUnaligned(as: UInt64.self)
                if Rule.isSpecial(word) { return offset }
                (to + offset).storeBytes(of: word, as: UInt64.self)
                offset &+= 8
            }
            let word = (from + last).loadUnaligned(as: UInt64.self)
            if Rule.isSpecial(word) { return offset }
            (to + last).storeBytes(of: word, as: UInt64.self)
        } else if count == 0 || Rule.isSpecial(EightBytes.copyShort(from, count, to: to)) {
            return 0
        }
        return count
    }

    /// Returns whether a non-ASCII or control character would break the line or change its direction.
    package static func mustBeEscaped(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns the character at an offset and its length in bytes; `nil` and 1 if the bytes are not UTF-8.
    package static func scalar(at offset: Int, in text: UnsafeRawBufferPointer) -> (scalar: UInt32?, length: Int) {
        let first = text[offset]
        let length: Int
        let least: UInt32
        var scalar: UInt32
        switch first {
        case 0..<0x80: return (UInt32(first), 1)
        case 0xC2..<0xE0: (length, least, scalar) = (2, 0x80, UInt32(first & 0x1F))
        case 0xE0..<0xF0: (length, least, scalar) = (3, 0x800, UInt32(first & 0x0F))
        case 0xF0..<0xF5: (length, least, scalar) = (4, 0x1_0000, UInt32(first & 0x07))
        default: return (nil, 1)
        }
        guard offset + length <= text.count else { return (nil, 1) }
        for index in 1..<length {
            let next = text[offset + index]
            guard next & 0xC0 == 0x80 else { return (nil, 1) }
            scalar = scalar << 6 | UInt32(next & 0x3F)
        }
        guard scalar >= least, scalar <= 0x10_FFFF, !(0xD800..<0xE000).contains(scalar) else { return (nil, 1) }
        return (scalar, length)
    }
}

extension LineBuffer {
    /// Appends text escaped as in text lines.
    package mutating func append(line: UnsafeRawBufferPointer) { append(line, by: LineEscape.self) }

    /// Appends text, escaped by a rule.
    @inline(__always)
    mutating func append<Rule: EscapeRule>(_ text: UnsafeRawBufferPointer, by rule: Rule.Type) {
        reserve(text.count)
        let copied = EscapedText.copy(text, by: rule, to: end)
        advance(copied)
        if copied < text.count { appendRest(of: text, from: copied, by: rule) }
    }

    /// Appends a string, starting at an offset.
    @inline(never)
    @_specialize(where Rule == LineEscape)
    @_specialize(where Rule == QuoteEscape)
    @_specialize(where Rule == JSONEscape)
    mutating func appendRest<Rule: EscapeRule>(of text: UnsafeRawBufferPointer, from start: Int, by rule: Rule.Type) {
        guard let from = text.baseAddress else { return }
        var offset = start
        while offset < text.count {
            if offset + 8 <= text.count {
                let word = (from + offset).loadUnaligned(as: UInt64.self)
                if !Rule.isSpecial(word) {
                    reserve(8)
                    end.storeBytes(of: word, as: UInt64.self)
                    advance(8)
                    offset += 8
                    continue
                }
            }
            let byte = text[offset]
            if byte < 0x80 && Rule.staysAsIs(byte) {
                append(byte)
                offset += 1
            } else {
                let (scalar, length) = EscapedText.scalar(at: offset, in: text)
                Rule.append(scalar, UnsafeRawBufferPointer(rebasing: text[offset..<offset + length]), to: &self)
                offset += length
            }
        }
    }
}

/// The escaping of messages in text lines: LF and CR become `\n` and `\r`, other escapes are `\u{1b}`.
///
/// A backslash is not escaped: text lines are for human readers, who see paths and patterns more often than they need
/// to distinguish a newline from its escape. The other formats are exact.
enum LineEscape: EscapeRule {
    @inline(__always)
    static func isSpecial(_ word: UInt64) -> Bool { EightBytes.hasByte(below: 0x20, word) }

    @inline(__always)
    static func isSpecial(_ bytes: UnsafeRawPointer) -> Bool { taffrail_has_unprintable(bytes) != 0 }

    @inline(__always)
    static func staysAsIs(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F || byte == UInt8(ascii: "\t") }

    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        switch scalar {
        case nil: buffer.append("\u{FFFD}")
        case 0x0A: buffer.append("\\n")
        case 0x0D: buffer.append("\\r")
        case .some(let scalar) where EscapedText.mustBeEscaped(scalar):
            buffer.append("\\u{")
            buffer.append(hexadecimal: UInt64(scalar))
            buffer.append(UInt8(ascii: "}"))
        default: buffer.append(bytes)
        }
    }
}

/// Tests on eight bytes at once. Differences borrow from byte to byte, so the tests reliably show whether any byte
/// matches, but not which one.
enum EightBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Copies one to seven bytes and returns them in one word, with repetitions, padded with letters.
    @inline(__always)
    static func copyShort(_ from: UnsafeRawPointer, _ count: Int, to: UnsafeMutableRawPointer) -> UInt64 {
        if count >= 4 {
            let head = from.loadUnaligned(as: UInt32.self)
            let tail = (from + count - 4).loadUnaligned(as: UInt32.self)
            to.storeBytes(of: head, as: UInt32.self)
            (to + count - 4).storeBytes(of: tail, as: UInt32.self)
            return UInt64(head) << 32 | UInt64(tail)
        }
        // One to three bytes: the first, the middle and the last cover all.
        let first = from.load(as: UInt8.self)
        let middle = from.load(fromByteOffset: count >> 1, as: UInt8.self)
        let last = from.load(fromByteOffset: count - 1, as: UInt8.self)
        to.storeBytes(of: first, as: UInt8.self)
        to.storeBytes(of: middle, toByteOffset: count >> 1, as: UInt8.self)
        to.storeBytes(of: last, toByteOffset: count - 1, as: UInt8.self)
        return 0x6161_6161_6100_0000 | UInt64(first) << 16 | UInt64(middle) << 8 | UInt64(last)
    }

    /// Returns a value other than 0 if an ASCII byte equals `byte`; only the highest bits are significant.
    @inline(__always)
    static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 { (word ^ (UInt64(byte) &* ones)) &- ones }

    /// Returns whether a byte is below `limit` (at most 0x7E), DEL, not ASCII, or was found by ``equal(_:_:)``: a
    /// non-ASCII byte has its highest bit set after one of the two operations, whatever is carried between bytes.
    @inline(__always)
    static func hasByte(below limit: UInt64, orMarked marks: UInt64 = 0, _ word: UInt64) -> Bool {
        (marks | (word &- limit &* ones) | (word &+ ones)) & tops != 0
    }
}

extension UnsafeMutableRawPointer {
    /// Copies 32 bytes.
    @inline(__always)
    func copy32(from: UnsafeRawPointer) {
        storeBytes(of: from.loadUnaligned(as: SIMD2<UInt64>.self), as: SIMD2<UInt64>.self)
        storeBytes(
            of: from.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self), toByteOffset: 16, as: SIMD2<UInt64>.self
        )
    }
}
