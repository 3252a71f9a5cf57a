/// Finds a part of a string, ignoring the case of ASCII letters.
package struct FoldedSearch: Sendable {
    private let needle: [UInt8]

    package init(_ text: String) { needle = text.utf8.map(Self.folded) }

    /// Returns whether UTF-8 contains the string.
    package func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        guard text.count >= needle.count else { return false }
        for start in 0...text.count - needle.count where Self.folded(text[start]) == first {
            var index = 1
            while index < needle.count, Self.folded(text[start + index]) == needle[index] { index += 1 }
            if index == needle.count { return true }
        }
        return false
    }

    /// Returns whether another string contains the string.
    package func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isFound(in: $0) }
    }

    @inline(__always)
    private static func folded(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }
}
