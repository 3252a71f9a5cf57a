internal import Taffrail

/// Base64 (RFC 4648).
package enum Base64 {
    /// Returns bytes in the alphabet of section 4, with padding.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text = LineBuffer(capacity: 64)
        Array(bytes).withUnsafeBytes { text.append(base64: $0) }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Returns the decoded bytes of a text in the alphabet of either section 4 or section 5, with or without padding;
    /// `nil` for any other text.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var (digits, padding) = (0, 0)
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            digits += 1
            if digits % 4 == 0 {
                result += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
                result.append(UInt8(truncatingIfNeeded: bits))
                bits = 0
            }
        }
        guard padding == 0 || (padding <= 2 && (digits + padding) % 4 == 0) else { return nil }
        switch digits % 4 {
        case 0: return result
        case 2: return result + [UInt8(truncatingIfNeeded: bits >> 4)]
        case 3: return result + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
