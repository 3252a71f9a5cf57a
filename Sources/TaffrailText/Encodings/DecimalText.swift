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

    /// Returns a number rounded to a fixed count of decimals (at most 15), half away from zero.
    package static func string(_ number: Double, decimals: Int) -> String {
        var text: [UInt8] = []
        text.append(real: number, decimals: decimals)
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a constant string.
    @inlinable
    @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends an integer.
    package mutating func append(decimal number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(upTo: Decimal.longest) { Decimal.write(UInt64(number.magnitude), to: $0) }
    }

    /// Appends the last `width` digits of a number, with leading zeros.
    package mutating func append(_ number: Int, width: Int) {
        append(upTo: width) {
            Decimal.write(UInt64(number.magnitude), width: width, to: $0)
            return width
        }
    }

    /// Appends the bytes that `write` stores in a buffer of `limit` bytes; `write` returns their number.
    @inline(__always)
    package mutating func append(upTo limit: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
        withUnsafeTemporaryAllocation(byteCount: limit, alignment: 8) { space in
            guard let start = space.baseAddress else { return }
            append(contentsOf: UnsafeRawBufferPointer(start: start, count: write(start)))
        }
    }

    /// Appends the shortest decimal that parses as the same number. NaN and infinities become 0.
    ///
    /// - Parameter exponent: Whether large and small numbers may have one, as in `1e-07`; decimals in XML must not.
    package mutating func append(real number: Double, exponent: Bool = true) {
        if appendShort(number) { return }
        guard number.isFinite else { return append(UInt8(ascii: "0")) }
        let text = number.description.utf8
        if !exponent, let mark = text.firstIndex(of: UInt8(ascii: "e")) {
            appendPlain(text[..<mark], exponent: Int(String(number.description[text.index(after: mark)...])) ?? 0)
        } else {
            append(contentsOf: text)
        }
    }

    /// Appends a number below a million with at most nine decimals, the common case. Returns `false` for other numbers.
    ///
    /// The decimal has at most fifteen digits. No two such decimals parse as the same number, so if it parses as the
    /// number, it is the shortest.
    @inline(__always)
    private mutating func appendShort(_ number: Double) -> Bool {
        let magnitude = abs(number)
        // Smaller numbers have an exponent, and zero has a sign.
        guard magnitude < 1e6, magnitude >= 1e-4 || number.bitPattern == 0 else { return false }
        let scaled = UInt(magnitude * 1e9 + 0.5)
        guard Double(scaled) / 1e9 == magnitude else { return false }
        var (whole, fraction) = scaled.quotientAndRemainder(dividingBy: 1_000_000_000)
        var decimals = 9
        if fraction == 0 { decimals = 1 }
        while fraction % 1_000 == 0 && decimals > 3 {
            fraction /= 1_000
            decimals -= 3
        }
        while fraction % 10 == 0 && decimals > 1 {
            fraction /= 10
            decimals -= 1
        }
        if number < 0 { append(UInt8(ascii: "-")) }
        append(upTo: 32) {
            let length = Decimal.write(UInt64(whole), to: $0)
            $0.storeBytes(of: UInt8(ascii: "."), toByteOffset: length, as: UInt8.self)
            Decimal.write(UInt64(fraction), width: decimals, to: $0 + length + 1)
            return length + 1 + decimals
        }
        return true
    }

    /// Appends digits such as `-1.25`, with the point moved by `exponent` places.
    private mutating func appendPlain(_ digits: Substring.UTF8View, exponent: Int) {
        var whole: [UInt8] = []
        var fraction: [UInt8] = []
        var hasPoint = false
        for byte in digits {
            if byte == UInt8(ascii: "-") {
                append(byte)
            } else if byte == UInt8(ascii: ".") {
                hasPoint = true
            } else if hasPoint {
                fraction.append(byte)
            } else {
                whole.append(byte)
            }
        }
        for _ in 0..<Swift.max(0, exponent) { whole.append(fraction.isEmpty ? 48 : fraction.removeFirst()) }
        for _ in 0..<Swift.max(0, -exponent) { fraction.insert(whole.popLast() ?? 48, at: 0) }
        while whole.count > 1 && whole[0] == 48 { whole.removeFirst() }
        append(contentsOf: whole.isEmpty ? [48] : whole)
        guard fraction.contains(where: { $0 != 48 }) else { return }
        append(UInt8(ascii: "."))
        append(contentsOf: fraction)
    }

    /// Appends a number rounded to a fixed count of decimals (at most 15), half away from zero.
    package mutating func append(real number: Double, decimals: Int) {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (abs(number) * Double(scale)).rounded()
        guard scaled < 9e18 else { return append(real: number, exponent: false) }
        let value = Int(scaled)
        if number < 0 && value != 0 { append(UInt8(ascii: "-")) }
        append(decimal: value / scale)
        guard decimals > 0 else { return }
        append(UInt8(ascii: "."))
        append(value % scale, width: decimals)
    }
}
