/// Percent-encoding.
package enum PercentText {
    /// Returns text with ASCII letters, digits and `_` unchanged, and other bytes as `%` and two hexadecimal digits.
    ///
    /// - Parameter keeps: Whether another byte is kept as well, given its value and offset.
    package static func encoded(
        _ text: String, isUppercase: Bool = true, keeping keeps: (UInt8, Int) -> Bool
    ) -> String {
        var result = ""
        for (offset, byte) in Array(text.utf8).enumerated() {
            if byte.isLetterOrDigit || byte == UInt8(ascii: "_") || keeps(byte, offset) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = HexText.string(byte, width: 2)
                result += "%" + (isUppercase ? digits.uppercased() : digits)
            }
        }
        return result
    }
}
