extension JSONReader {
    /// Returns whether the token's text is `text`.
    @inlinable
    @inline(__always)
    package func isText(_ text: StaticString) -> Bool {
        if hasEscapes { return self.text == "\(text)" }
        guard textEnd - textStart == text.utf8CodeUnitCount else { return false }
        let bytes = window.base + textStart
        let other = text.utf8Start
        for index in 0..<text.utf8CodeUnitCount where bytes[index] != other[index] { return false }
        return true
    }

    /// The text of a key or string token, or a number's digits. Bytes that are not UTF-8 become U+FFFD.
    package var text: String {
        let bytes = textBytes
        return hasEscapes ? JSONText.unescaped(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    /// The token's raw bytes, including escapes; valid until the next call.
    package var textBytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: window.base + textStart, count: textEnd - textStart)
    }

    /// Returns the next value as a number; `nil` for null. Throws for other values.
    package mutating func optionalNumber() throws(ReadError) -> Double? {
        switch try next() {
        case .number: return number
        case .null: return nil
        default: throw error("expected a number or null")
        }
    }

    /// Returns the next value as a string; `nil` for null. Throws for other values.
    package mutating func optionalText() throws(ReadError) -> String? {
        switch try next() {
        case .string: return text
        case .null: return nil
        default: throw error("expected a string or null")
        }
    }

    /// Returns the next value as a Boolean; `nil` for null. Throws for other values.
    package mutating func optionalBool() throws(ReadError) -> Bool? {
        switch try next() {
        case .true: return true
        case .false: return false
        case .null: return nil
        default: throw error("expected true, false or null")
        }
    }

    /// Enters the object that is the next value; `false` for null. Throws for other values.
    package mutating func enterObject() throws(ReadError) -> Bool {
        switch try next() {
        case .beginObject: return true
        case .null: return false
        default: throw error("expected an object")
        }
    }

    /// Advances to the next member's name in an object; `false` at the object's end.
    package mutating func nextKey() throws(ReadError) -> Bool { try next() == .key }

    /// Skips the next value.
    package mutating func skipValue() throws(ReadError) {
        let token = try next()
        let start = tokenOffset
        try skip(token)
        skippedBytes += window.streamOffset - start
    }

    /// The number as an integer, if a Double represents it exactly.
    var integer: Int? { Int(exactly: number) }
}
