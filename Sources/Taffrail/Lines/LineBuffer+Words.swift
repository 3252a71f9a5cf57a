/// Words and quoted strings in `key=value` lines.
extension LineBuffer {
    /// Appends a string in double quotes, escaped by a rule.
    @inline(__always)
    mutating func append<Rule: EscapeRule>(quoted text: UnsafeRawBufferPointer, by rule: Rule.Type) {
        append(UInt8(ascii: "\""))
        append(text, by: rule)
        append(UInt8(ascii: "\""))
    }

    /// As ``append(quoted:by:)``, for text that is not in every record: the loop is not inlined.
    mutating func append<Rule: EscapeRule>(rarelyQuoted text: UnsafeRawBufferPointer, by rule: Rule.Type) {
        append(UInt8(ascii: "\""))
        appendRest(of: text, from: 0, by: rule)
        append(UInt8(ascii: "\""))
    }

    /// Appends a string: unchanged if it is a single word, otherwise quoted.
    mutating func append<Rule: EscapeRule>(word text: UnsafeRawBufferPointer, by rule: Rule.Type) {
        guard let from = text.baseAddress, text.count > 0 else { return append("\"\"") }
        let count = text.count
        reserve(count)
        if Self.copy(from, count, to: end) || Self.isWord(text) {
            advance(count)
        } else {
            append(quoted: text, by: rule)
        }
    }

    /// Copies text and returns whether it is certainly a word.
    @inline(__always)
    private static func copy(_ from: UnsafeRawPointer, _ count: Int, to: UnsafeMutableRawPointer) -> Bool {
        var isSpecial = false
        if count >= 8 {
            var offset = 0
            while offset &+ 8 < count {
                let word = (from + offset).loadUnaligned(as: UInt64.self)
                isSpecial = isSpecial || hasParting(word)
                (to + offset).storeBytes(of: word, as: UInt64.self)
                offset &+= 8
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

    /// Returns whether one of eight bytes is a control character, a space, a quote, a backslash, an equals sign or not
    /// ASCII.
    @inline(__always)
    private static func hasParting(_ word: UInt64) -> Bool {
        EightBytes.hasByte(
            below: 0x21,
            orMarked: EightBytes.equal(UInt8(ascii: "\""), word) | EightBytes.equal(UInt8(ascii: "\\"), word)
                | EightBytes.equal(UInt8(ascii: "="), word), word)
    }

    /// Returns whether a string contains no space, quote, backslash, equals sign or character that needs an escape, and
    /// does not start like a list or a map.
    @inline(never)
    private static func isWord(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first, first != UInt8(ascii: "["), first != UInt8(ascii: "{") else { return false }
        var offset = 0
        while offset < text.count {
            switch text[offset] {
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "\\"): return false
            case ..<0x80: offset += 1
            default:
                let (scalar, length) = EscapedText.scalar(at: offset, in: text)
                guard let scalar, !EscapedText.mustBeEscaped(scalar) else { return false }
                offset += length
            }
        }
        return true
    }
}
