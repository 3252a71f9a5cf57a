/// Percent-encoding.
package enum PercentText {
    /// Returns text in which ASCII letters, digits and `_` stay, and each other byte is `%` and two hexadecimal digits.
    ///
    /// - Parameter keeps: Whether another byte stays as well, by its value and its offset.
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

    /// Returns text without the encoding.
    ///
    /// - Parameters:
    ///   - plusIsSpace: Whether a plus sign is a space, as in forms.
    ///   - isLenient: Whether a percent sign that does not precede two digits stays.
    /// - Returns: `nil` if there is another such sign, or the result is not UTF-8.
    package static func decoded(
        _ text: some Sequence<UInt8>, plusIsSpace: Bool = false, isLenient: Bool = false
    ) -> String? {
        var rest = Array(text)[...]
        var result: [UInt8] = []
        result.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                if let digits = HexText.bytes(rest.prefix(2), count: 1) {
                    result += digits
                    rest = rest.dropFirst(2)
                } else if isLenient {
                    result.append(byte)
                } else {
                    return nil
                }
            case UInt8(ascii: "+") where plusIsSpace: result.append(UInt8(ascii: " "))
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }
}
