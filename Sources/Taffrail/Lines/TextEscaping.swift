internal import CTaffrail

/// How messages stand in text lines: LF and CR become `\n` and `\r`, other escapes are `\u{1b}`.
///
/// A backslash stays as it is: a text line is for people, who meet paths and patterns more often than they need to
/// tell a newline from its escape. The other formats are exact.
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

extension EscapedText {
    /// Appends a line as text lines have it.
    package static func append(line: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        append(line, by: LineEscape.self, to: &buffer)
    }
}

/// How text stands between quotes in text lines: double quotes, backslashes and TAB are escaped as well.
enum QuoteEscape: EscapeRule {
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

    static func append(_ scalar: UInt32?, _ bytes: UnsafeRawBufferPointer, to buffer: inout LineBuffer) {
        switch scalar {
        case 0x22: buffer.append("\\\"")
        case 0x5C: buffer.append("\\\\")
        case 0x09: buffer.append("\\t")
        default: LineEscape.append(scalar, bytes, to: &buffer)
        }
    }
}

/// Words and quoted text in `key=value` lines.
enum TextWord {
    /// Appends text in double quotes, by a rule.
    @inline(__always)
    static func appendQuoted<Rule: EscapeRule>(
        _ text: UnsafeRawBufferPointer, by rule: Rule.Type, to buffer: inout LineBuffer
    ) {
        buffer.append(UInt8(ascii: "\""))
        EscapedText.append(text, by: rule, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends text: as it is when it reads as one word, otherwise in quotes.
    static func append<Rule: EscapeRule>(
        _ text: UnsafeRawBufferPointer, quotedBy rule: Rule.Type, to buffer: inout LineBuffer
    ) {
        guard let from = text.baseAddress, text.count > 0 else {
            return appendQuoted(text, by: rule, to: &buffer)
        }
        let count = text.count
        buffer.reserve(count)
        if copy(from, count, to: buffer.end) || isWord(text) {
            buffer.advance(count)
        } else {
            appendQuoted(text, by: rule, to: &buffer)
        }
    }

    /// Copies text and tells whether it surely is a word.
    @inline(__always)
    private static func copy(_ from: UnsafeRawPointer, _ count: Int, to: UnsafeMutableRawPointer) -> Bool {
        var isSpecial = false
        if count >= 8 {
            var place = 0
            while place &+ 8 < count {
                let word = (from + place).loadUnaligned(as: UInt64.self)
                isSpecial = isSpecial || hasParting(word)
                (to + place).storeBytes(of: word, as: UInt64.self)
                place &+= 8
            }
            let word = (from + count - 8).loadUnaligned(as: UInt64.self)
            isSpecial = isSpecial || hasParting(word)
            (to + count - 8).storeBytes(of: word, as: UInt64.self)
        } else {
            isSpecial = hasParting(EightBytes.copyShort(from, count, to: to))
        }
        let first = from.load(as: UInt8.self)
        return !isSpecial && first != UInt8(ascii: "[") && first != UInt8(ascii: "{")
    }

    /// Whether one of eight bytes is a control character, a space, a quote, a backslash, an equals sign or not ASCII.
    @inline(__always)
    private static func hasParting(_ word: UInt64) -> Bool {
        EightBytes.hasByte(
            below: 0x21,
            orMarked: EightBytes.equal(UInt8(ascii: "\""), word) | EightBytes.equal(UInt8(ascii: "\\"), word)
                | EightBytes.equal(UInt8(ascii: "="), word), word)
    }

    /// Whether text has no space, quote, backslash, equals sign or anything to be escaped, and does not start as a
    /// list or a map does.
    @inline(never)
    private static func isWord(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, first != UInt8(ascii: "["), first != UInt8(ascii: "{") else { return false }
        var place = 0
        while place < text.count {
            switch text[place] {
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "\\"): return false
            case ..<0x80: place += 1
            default:
                let (scalar, length) = EscapedText.scalar(at: place, in: text)
                guard let scalar, !EscapedText.mustBeEscaped(scalar) else { return false }
                place += length
            }
        }
        return true
    }
}
