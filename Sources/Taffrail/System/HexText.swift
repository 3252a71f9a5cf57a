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

    /// Returns the number that a text of `count` digits represents, at most 16; `nil` for any other text.
    static func number(_ text: String, count: Int) -> UInt64? {
        var text = text
        return text.withUTF8 { digits in
            guard digits.count == count else { return nil }
            var number: UInt64 = 0
            for byte in digits {
                guard let digit = digit(byte) else { return nil }
                number = number << 4 | UInt64(digit)
            }
            return number
        }
    }
}
