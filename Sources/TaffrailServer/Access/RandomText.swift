internal import Taffrail
internal import TaffrailText

/// Strings that cannot be guessed.
enum RandomText {
    /// Returns 64 hexadecimal digits of the system's random numbers.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
        return HexText.string(bytes)
    }
}
