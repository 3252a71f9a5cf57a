internal import CTaffrail

/// The last word of a text, if it has the form of an attribute: `key=value`, as in text lines, or the same with
/// backslashes in front of the equals sign.
///
/// Readers take the attributes of a text line from its end, word by word, until a word is not an attribute. So only the
/// last word of a message could be taken for one. The encoder puts a backslash in front of its equals sign, `key\=value`,
/// and readers remove it. A word that has backslashes there gets one more, so every message reads back as it was. The
/// keys of attributes have no such backslashes: a key that contains one is quoted.
package struct AttributeWord {
    /// The offset of the word, which is its key's.
    package let start: Int
    /// The offset after the key.
    package let keyEnd: Int
    /// The offset of the value, which extends to the end of the text.
    package let valueStart: Int

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Parses the last word of a text.
    ///
    /// - Returns: `nil` if it does not have the form of an attribute.
    package init?(endOf text: UnsafeRawBufferPointer) {
        guard let start = Self.lastWord(of: text), let keyEnd = Self.key(in: text, from: start) else { return nil }
        var index = keyEnd
        while index < text.count, text[index] == Self.backslash { index += 1 }
        guard index < text.count, text[index] == UInt8(ascii: "="), Self.isValue(text, from: index + 1) else {
            return nil
        }
        self.start = start
        self.keyEnd = keyEnd
        valueStart = index + 1
    }

    /// Returns the start of the last word; spaces in quotes do not separate words. Seen from the end, a quote closes a
    /// quoted string, so what precedes the word cannot change where it starts.
    ///
    /// - Returns: `nil` if a quote has no counterpart.
    private static func lastWord(of text: UnsafeRawBufferPointer) -> Int? {
        var index = text.count
        while index > 0, text[index - 1] != 0x20 {
            index -= 1
            guard text[index] == quote else { continue }
            var backslashes: Int
            repeat {
                while index > 0, text[index - 1] != quote { index -= 1 }
                guard index > 0 else { return nil }
                index -= 1
                backslashes = 0
                while index > backslashes, text[index - backslashes - 1] == backslash { backslashes += 1 }
            } while !backslashes.isMultiple(of: 2)
        }
        return index
    }

    /// Returns the offset after a quoted string.
    private static func quoted(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start + 1
        while index < text.count {
            if text[index] == quote { return index + 1 }
            index += text[index] == backslash ? 2 : 1
        }
        return nil
    }

    /// Returns the offset after a key.
    private static func key(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < text.count else { return nil }
        switch text[start] {
        case quote: return quoted(in: text, from: start)
        case UInt8(ascii: "["), UInt8(ascii: "{"): return nil
        default:
            var end = start
            while end < text.count, text[end] != UInt8(ascii: "="), isPlain(text[end]) { end += 1 }
            return end > start ? end : nil
        }
    }

    /// Returns whether the rest of a text is a value: quoted, a list, a map, or characters that need no quotes. Base64
    /// may be empty, and may end in equals signs.
    private static func isValue(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        guard start < text.count else { return true }
        var isList = true
        switch text[start] {
        case quote: return quoted(in: text, from: start) == text.count
        case UInt8(ascii: "["): guard text.last == UInt8(ascii: "]") else { return false }
        case UInt8(ascii: "{"): guard text.last == UInt8(ascii: "}") else { return false }
        default: isList = false
        }
        var index = start
        while index < text.count {
            if isList && text[index] == quote {
                guard let end = quoted(in: text, from: index) else { return false }
                index = end
            } else {
                guard isPlain(text[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    /// Returns whether a byte may be in a word outside quotes.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != quote && byte != backslash
    }

    /// Returns whether the message that ends at an address may end in such a word. Reads the 16 bytes before it.
    @inline(__always)
    static func mayPrecede(_ end: UnsafeRawPointer) -> Bool { taffrail_may_end_in_attribute(end) != 0 }

    /// Escapes the last word of the message at an offset, which is the last text in a buffer.
    static func escape(messageAt start: Int, in buffer: inout LineBuffer) {
        let message = UnsafeRawBufferPointer(rebasing: buffer.bytes[start...])
        guard let word = AttributeWord(endOf: message) else { return }
        buffer.insert(backslash, at: start + word.keyEnd)
    }
}
