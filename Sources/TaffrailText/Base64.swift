/// Base64 (RFC 4648) with padding.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var bits = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            bits <<= 8
            for index in 0..<4 {
                result.append(index <= part.count ? alphabet[Int(bits >> 26)] : UInt8(ascii: "="))
                bits <<= 6
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
