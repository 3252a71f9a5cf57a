/// Hexadecimal digits.
package enum HexText {
    /// Returns a number in lower-case digits, at least `width` of them.
    package static func string(_ number: some FixedWidthInteger & UnsignedInteger, width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Returns the value of a digit in either case; `nil` for any other byte.
    package static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the bytes of `count` pairs of digits; `nil` for any other text.
    package static func bytes(_ text: some Sequence<UInt8>, count: Int) -> [UInt8]? {
        let digits = text.map(digit)
        guard digits.count == 2 * count, !digits.contains(nil) else { return nil }
        return (0..<count).map { (digits[2 * $0] ?? 0) << 4 | (digits[2 * $0 + 1] ?? 0) }
    }
}
