/// Times from other programs' lines may be any number: differences and conversions are clamped.
extension Int64 {
    @inlinable
    package func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }

    /// Returns the seconds as nanoseconds, plus a fraction of a second.
    @inlinable
    @inline(__always)
    package func nanoseconds(adding fraction: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carries) = product.addingReportingOverflow(fraction)
        return overflows || carries ? (self < 0 ? .min : .max) : sum
    }
}
