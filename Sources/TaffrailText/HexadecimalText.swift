/// Bytes as hexadecimal digits.
package enum HexadecimalText {
    /// Two digits for each byte, in lower case.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
    }
}
