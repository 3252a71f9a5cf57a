internal import Taffrail

/// The syntax of JSON's strings and numbers.
enum JSONText {
    /// Returns whether every backslash in a string's bytes starts a valid escape.
    ///
    /// - Parameter isLenient: Whether `\u{1b}` and unknown escapes, which represent their own character, are valid.
    static func isEscapedRight(_ bytes: UnsafeBufferPointer<UInt8>, isLenient: Bool = false) -> Bool {
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard index + 1 < bytes.count else { return false }
            switch bytes[index + 1] {
            case UInt8(ascii: "u"):
                if isLenient, let (_, length) = bracedHex(bytes, at: index + 2) {
                    index += 2 + length
                } else {
                    guard hex(bytes, at: index + 2) != nil else { return false }
                    index += 6
                }
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                index += 2
            default:
                guard isLenient else { return false }
                index += 2
            }
        }
        return true
    }

    /// Returns the decoded bytes of a string. A lone surrogate becomes U+FFFD.
    static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let kind = bytes[index + 1]
            index += 2
            switch kind {
            case UInt8(ascii: "u"):
                let (scalar, length) = scalar(bytes, at: index)
                index += length
                result.append(contentsOf: String(Character(scalar)).utf8)
            case UInt8(ascii: "b"): result.append(8)
            case UInt8(ascii: "f"): result.append(12)
            case UInt8(ascii: "n"): result.append(10)
            case UInt8(ascii: "r"): result.append(13)
            case UInt8(ascii: "t"): result.append(9)
            default: result.append(kind)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the character of four hexadecimal digits, or of a pair of four, and the number of bytes read.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, Int) {
        guard let first = hex(bytes, at: index) else {
            // Only a lenient ``isEscapedRight(_:isLenient:)`` accepts this escape.
            guard let (value, length) = bracedHex(bytes, at: index) else { return ("\u{FFFD}", 0) }
            return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
        }
        if let scalar = Unicode.Scalar(first) { return (scalar, 4) }
        if first < 0xDC00, index + 10 <= bytes.count, bytes[index + 4] == UInt8(ascii: "\\"),
            bytes[index + 5] == UInt8(ascii: "u"), let second = hex(bytes, at: index + 6), second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
        {
            return (scalar, 10)
        }
        return ("\u{FFFD}", 4)
    }

    /// Returns the value of `{1b}`, of at most six digits, and its length.
    private static func bracedHex(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int)? {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "{"),
            let end = bytes[index...].prefix(8).firstIndex(of: UInt8(ascii: "}")),
            let value = UInt32(String(decoding: bytes[(index + 1)..<end], as: UTF8.self), radix: 16)
        else { return nil }
        return (value, end + 1 - index)
    }

    private static func hex(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = HexText.digit(byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// Returns the value of a number in JSON's grammar; `nil` for anything else, and beyond the range of Double.
    static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        isNumber(bytes) ? DecimalText.double(bytes) : nil
    }

    /// Returns the value of a number that Swift parses, which is infinite beyond the range of Double.
    static func lenientNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        number(bytes) ?? Double(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns whether bytes are a number in JSON's grammar.
    static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        func digits() -> Int {
            let start = index
            while index < bytes.count && bytes[index] &- 48 < 10 { index += 1 }
            return index - start
        }
        if index < bytes.count && bytes[index] == UInt8(ascii: "-") { index += 1 }
        let first = index
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[first] != UInt8(ascii: "0") else { return false }
        if index < bytes.count && bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard digits() > 0 else { return false }
        }
        if index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count && (bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")) {
                index += 1
            }
            guard digits() > 0 else { return false }
        }
        return index == bytes.count
    }
}
