/// Hexadecimal digits.
package enum HexText {
    /// A number in lower-case digits, at least `width` of them.
    package static func string(_ number: some FixedWidthInteger & UnsignedInteger, width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
