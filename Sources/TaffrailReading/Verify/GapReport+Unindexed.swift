extension GapReport {
    /// Why numbers may not have been found although nothing is missing.
    static let unindexedText = "perhaps among the lines that are not in the index"

    /// Adds missing numbers, some of which may be in lines that are not in the index.
    ///
    /// - Parameters:
    ///   - origin: The last number of the run before the oldest file; 0 for none.
    ///   - unindexed: The run's records in lines that are not in the index.
    mutating func add(missing gap: ClosedRange<UInt64>, origin: UInt64, unindexed: [RunCoverage.Unindexed]) {
        let parts = unindexed.filter { gap.contains($0.first) }
        guard let first = parts.map(\.first).min() else { return add(missing: gap, origin: origin) }
        if first > gap.lowerBound { add(missing: gap.lowerBound...first - 1, origin: origin) }
        // Records that were removed on purpose, or start in the lines of another file, are not among these.
        let later = (removed.map(\.numbers.lowerBound) + parts.map(\.first)).filter { $0 > first && gap.contains($0) }
        let end = later.min().map { $0 - 1 } ?? gap.upperBound
        addFinding(Self.text(first...end), Self.unindexedText, isLoss: false)
        // There cannot be more such records than lines.
        let lines = parts.reduce(UInt64(0)) { $1.first == first ? $0 + $1.lines : $0 }
        let count = end - first + 1
        if count > lines { add(count - lines, of: first...end) }
        if end < gap.upperBound { add(missing: end + 1...gap.upperBound, origin: origin, unindexed: parts) }
    }
}
