internal import Glibc

/// Searches bytes.
enum ByteSearch {
    /// Returns the offset of the first occurrence of a byte.
    @inline(__always)
    static func firstIndex(of byte: UInt8, in text: UnsafeRawBufferPointer) -> Int? {
        guard let base = text.baseAddress, let found = memchr(base, CInt(byte), text.count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Returns whether both contain the same bytes, up to the length of `other`.
    @inline(__always)
    static func isEqual(_ bytes: UnsafeRawPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard let base = other.baseAddress else { return true }
        return memcmp(bytes, base, other.count) == 0
    }

    /// Returns whether `bytes` start with a text.
    @inline(never)
    static func starts(_ bytes: UnsafeRawBufferPointer, with text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            guard let base = bytes.baseAddress, text.count <= bytes.count else { return text.isEmpty }
            return isEqual(base, UnsafeRawBufferPointer(text))
        }
    }

    /// Returns whether `needle` is in `text`; an empty one always is.
    static func isFound(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
        guard let first = needle.first else { return true }
        guard var rest = text.baseAddress else { return false }
        let end = rest + text.count
        while end - rest >= needle.count, let found = memchr(rest, CInt(first), end - rest - needle.count + 1) {
            if isEqual(found, needle) { return true }
            rest = UnsafeRawPointer(found) + 1
        }
        return false
    }
}
