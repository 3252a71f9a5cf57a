/// Text that cannot be guessed.
enum RandomText {
    /// 64 hexadecimal digits, of the system's random numbers.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
        return hexadecimal(bytes)
    }

    /// Bytes as hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
