internal import Taffrail

/// Parses and formats decimal numbers.
package enum DecimalText {
    /// 10⁰ to 10²², which Double represents exactly.
    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Parses a number such as `-12.5` or `1e3`: an optional sign, digits with at most one point, an optional exponent.
    ///
    /// If digits and exponent are small enough (at most 2⁵³ and 22), the result is a single exact operation and so
    /// correctly rounded; otherwise the standard library is used.
    ///
    /// - Returns: The nearest Double; `nil` for any other string, and beyond its range.
    package static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var index = 0
        var isNegative = false
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            isNegative = first == UInt8(ascii: "-")
            index = 1
        }
        var mantissa: UInt64 = 0
        var digits = 0
        var decimals = 0
        var hasPoint = false
        var isLong = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte &- 48 < 10 {
                digits += 1
                if mantissa < 900_000_000_000_000_000 {
                    mantissa = mantissa * 10 + UInt64(byte - 48)
                } else {
                    isLong = true
                }
                if hasPoint { decimals += 1 }
            } else if byte == UInt8(ascii: ".") && !hasPoint {
                hasPoint = true
            } else {
                break
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        var exponent = 0
        if index < bytes.count {
            guard let value = self.exponent(bytes, at: index) else { return nil }
            exponent = value
        }
        exponent -= decimals
        if !isLong && mantissa <= 1 << 53 && abs(exponent) <= 22 {
            let value = Double(mantissa)
            let scaled = exponent < 0 ? value / powers[-exponent] : value * powers[exponent]
            return isNegative ? -scaled : scaled
        }
        guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    private static func exponent(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
        guard bytes[start] | 0x20 == UInt8(ascii: "e"), start + 1 < bytes.count else { return nil }
        var index = start + 1
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        guard index < bytes.count else { return nil }
        var value = 0
        for byte in bytes[index...] {
            guard byte &- 48 < 10 else { return nil }
            value = min(value * 10 + Int(byte - 48), 100_000)
        }
        return isNegative ? -value : value
    }

    /// Parses a number from a string; `nil` if it is not one.
    package static func double(_ text: some StringProtocol) -> Double? {
        var text = String(text)
        return text.withUTF8 { double($0) }
    }

    /// Returns a number without needless decimals, such as `2` or `2.5`.
    package static func short(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e16 ? "\(Int64(number))" : "\(number)"
    }

    /// Returns a number rounded to a fixed count of decimals (at most 15), half away from zero.
    package static func string(_ number: Double, decimals: Int) -> String {
        var text: [UInt8] = []
        text.append(real: number, decimals: decimals)
        return String(decoding: text, as: UTF8.self)
    }
}
