/// Times from other programs' lines may be any number: sums and differences are clamped.
extension Int64 {
    @inlinable
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

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
        guard !overflows else { return self < 0 ? .min : .max }
        return product.addingClamped(fraction)
    }
}
