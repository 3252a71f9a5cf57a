package import Taffrail

extension PercentText {
    /// Returns the decoded text.
    ///
    /// - Parameters:
    ///   - plusIsSpace: Whether a plus sign is a space, as in forms.
    ///   - isLenient: Whether to keep a percent sign that is not followed by two hexadecimal digits.
    /// - Returns: `nil` if such a sign is not to be kept, or the result is not UTF-8.
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
