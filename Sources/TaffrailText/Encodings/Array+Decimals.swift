internal import Taffrail

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
