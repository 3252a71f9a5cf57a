/// Times from lines of others may be any number: what a sum or difference cannot hold is the nearest time there is.
extension Int64 {
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }

    /// So many seconds as nanoseconds, with a fraction of a second added.
    @inline(__always)
    func nanoseconds(adding fraction: Int64) -> Int64 {
        let (product, overflows) = multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflows else { return self < 0 ? .min : .max }
        return product.addingClamped(fraction)
    }
}
