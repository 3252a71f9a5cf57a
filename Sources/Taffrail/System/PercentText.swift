/// Percent-encoding.
package enum PercentText {
    /// Returns text with ASCII letters, digits and `_` unchanged, and other bytes as `%` and two hexadecimal digits.
    ///
    /// - Parameter keeps: Whether another byte is kept as well, given its value and offset.
    package static func encoded(
        _ text: String, isUppercase: Bool = true, keeping keeps: (UInt8, Int) -> Bool
    ) -> String {
        var result = ""
        for (offset, byte) in text.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where keeps(byte, offset): result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = HexText.string(byte, width: 2)
                result += "%" + (isUppercase ? digits.uppercased() : digits)
            }
        }
        return result
    }
}
