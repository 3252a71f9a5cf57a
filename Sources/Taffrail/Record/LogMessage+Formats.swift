extension LogMessage {
    /// The format of a floating-point number in a message: `"\(speed, format: .fixed(2)) kn"`.
    public struct FloatFormat: Sendable, Hashable {
        @usableFromInline
        let digits: Int

        /// Returns a format with a fixed number of digits after the decimal point, rounded as C's `printf` does.
        ///
        /// - Parameter digits: 0 to 15; clamped.
        public static func fixed(_ digits: Int) -> FloatFormat { FloatFormat(digits: min(max(0, digits), 15)) }
    }

    /// The format of an integer in a message: `"status \(flags, format: .hex)"`.
    public struct IntegerFormat: Sendable, Hashable {
        @usableFromInline
        let radix: Int

        /// Lower-case hexadecimal digits without a prefix. A negative number prints as its two's complement in the
        /// width of its type.
        public static let hex = IntegerFormat(radix: 16)
    }
}

extension LogMessage.Interpolation {
    /// Appends a number in a format. Numbers of 2⁶³ and more, infinities and NaN are printed without a format.
    @inlinable
    public mutating func appendInterpolation(_ value: some BinaryFloatingPoint, format: LogMessage.FloatFormat) {
        append(Double(value), digits: format.digits)
    }

    /// Appends a number in a format.
    @inlinable
    public mutating func appendInterpolation<T: FixedWidthInteger>(_ value: T, format: LogMessage.IntegerFormat) {
        appendDescription(String(T.Magnitude(truncatingIfNeeded: value), radix: format.radix))
    }

    @usableFromInline
    mutating func append(_ value: Double, digits: Int) {
        guard value.magnitude < 0x1p63 else { return add(value.description) }
        if value.sign == .minus { add("-" as StaticString) }
        guard digits > 0 else { return appendInteger(Int64(value.magnitude.rounded(.toNearestOrEven))) }
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        var whole = Int64(value.magnitude)
        let fraction = value.magnitude - Double(whole)
        let product = fraction * Double(scale)
        let rounded = product.rounded(.toNearestOrEven)
        var units = Int64(rounded)
        // The product is itself rounded: halfway between two decimals, its error decides.
        let error = (-product).addingProduct(fraction, Double(scale))
        if product - rounded == 0.5 && error > 0 { units += 1 }
        if product - rounded == -0.5 && error < 0 { units -= 1 }
        if units == scale {
            whole += 1
            units = 0
        }
        appendInteger(whole)
        // The first digit, which preserves the zeros that follow it, becomes the point.
        let point = end
        appendInteger(scale + units)
        if end > point { scratch.pointer(at: point).storeBytes(of: UInt8(ascii: "."), as: UInt8.self) }
    }
}
