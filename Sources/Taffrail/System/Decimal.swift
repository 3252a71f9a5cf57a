/// Decimal digits.
package enum Decimal {
    /// The most digits of a number, including a sign.
    package static let longest = 21

    /// The digits of 0 to 99, two each.
    private static let pairs: StaticString = """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839\
        40414243444546474849505152535455565758596061626364656667686970717273747576777879\
        8081828384858687888990919293949596979899
        """

    /// Returns the value of decimal digits; `nil` for any other text, and above `UInt64.max`.
    package static func value(_ text: UnsafeRawBufferPointer) -> UInt64? {
        guard !text.isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in text {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, isTooMuch) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(digit))
            guard !isTooMuch, !overflows else { return nil }
            value = sum
        }
        return value
    }

    /// Returns the value of decimal digits; `nil` for any other text, and above `UInt64.max`.
    package static func value(_ text: String) -> UInt64? {
        var text = text
        return text.withUTF8 { value(UnsafeRawBufferPointer($0)) }
    }

    /// Returns a number's digits, with leading zeros up to a width.
    package static func padded(_ number: some BinaryInteger, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// Returns the number of decimal digits of a value; 1 for zero.
    @inline(__always)
    static func digits(of value: UInt64) -> Int {
        if value < 10_000 {
            if value < 100 { return value < 10 ? 1 : 2 }
            return value < 1_000 ? 3 : 4
        }
        guard value < 100_000_000 else { return 8 + digitsSlowly(of: value / 100_000_000) }
        if value < 1_000_000 { return value < 100_000 ? 5 : 6 }
        return value < 10_000_000 ? 7 : 8
    }

    private static func digitsSlowly(of value: UInt64) -> Int {
        var count = 1
        var rest = value
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        return count
    }

    /// Writes all digits of `value` to `to`, which must have room, and returns their count.
    @inline(__always)
    @discardableResult
    package static func write(_ value: UInt64, to: UnsafeMutableRawPointer) -> Int {
        let width = digits(of: value)
        write(value, width: width, to: to)
        return width
    }

    /// Writes all digits of a value below 100,000,000 to `to`, which must have room for eight bytes, and returns their
    /// count.
    ///
    /// All eight digits are computed at once, in the lanes of one word: it is divided into lanes of four, two and one
    /// digits by multiplying with reciprocals, 10486 / 2²⁰ of 100 and 103 / 2¹⁰ of 10, which are exact for so few
    /// digits.
    @inline(__always)
    static func writeUpToEight(_ value: UInt64, to: UnsafeMutableRawPointer) -> Int {
        let high = UInt64(UInt32(truncatingIfNeeded: value) / 10_000)
        let fours = high | (value &- high &* 10_000) &<< 32
        let hundreds = (fours &* 10_486) &>> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) &<< 16
        let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
        let digits = tens | (twos &- tens &* 10) &<< 8
        // The first digit is in the lowest byte; zero has one.
        let leading = (digits | 1 &<< 56).trailingZeroBitCount & ~7
        let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: leading)
        to.storeBytes(of: text.littleEndian, as: UInt64.self)
        return 8 &- leading &>> 3
    }

    /// Writes the last `width` digits of `value` to `to`, with leading zeros.
    @inline(__always)
    package static func write(_ value: UInt64, width: Int, to: UnsafeMutableRawPointer) {
        // Dividing 32 bits by a constant takes half the instructions.
        if let small = UInt32(exactly: value) {
            writeDigits(of: small, width: width, to: to)
        } else {
            writeDigits(of: value, width: width, to: to)
        }
    }

    @inline(__always)
    private static func writeDigits<T: FixedWidthInteger & UnsignedInteger>(
        of value: T, width: Int, to: UnsafeMutableRawPointer
    ) {
        var rest = value
        var offset = width
        while offset >= 2 {
            offset &-= 2
            let quotient = rest / 100
            let pair = rest &- quotient &* 100
            let digits = UnsafeRawPointer(pairs.utf8Start) + 2 &* Int(truncatingIfNeeded: pair)
            to.storeBytes(of: digits.loadUnaligned(as: UInt16.self), toByteOffset: offset, as: UInt16.self)
            rest = quotient
        }
        if offset == 1 {
            let digit = UInt8(truncatingIfNeeded: rest < 10 ? rest : rest % 10)
            to.storeBytes(of: UInt8(ascii: "0") &+ digit, as: UInt8.self)
        }
    }
}
