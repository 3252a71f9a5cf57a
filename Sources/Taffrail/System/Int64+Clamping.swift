extension Int64 {
    /// Returns the sum, clamped to the range of the type.
    @inlinable
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
