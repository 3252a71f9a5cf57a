package import Taffrail

extension HexText {
    /// Returns two lower-case digits for each byte.
    package static func string(_ bytes: some Sequence<UInt8>) -> String {
        bytes.reduce(into: "") { $0 += string($1, width: 2) }
    }

    /// Returns the bytes of `count` pairs of digits; `nil` for any other text.
    package static func bytes(_ text: some Sequence<UInt8>, count: Int) -> [UInt8]? {
        let digits = text.map(digit)
        guard digits.count == 2 * count, !digits.contains(nil) else { return nil }
        return (0..<count).map { (digits[2 * $0] ?? 0) << 4 | (digits[2 * $0 + 1] ?? 0) }
    }
}
