/// The records of a ring whose drops by processors have been counted: several sinks get the same ones.
struct CountedDrops {
    /// The processors have seen everything before this position.
    private(set) var end: UInt64
    /// Before this position, other processors have seen the records, and the present ones count theirs again.
    private var formerEnd: UInt64 = 0
    /// Of those, everything before this position has been counted again.
    private var recountedEnd: UInt64 = 0

    init(upTo end: UInt64) { self.end = end }

    /// Counts again from a position, because the processors have changed: the new ones may drop other records than the
    /// old ones, and the ledger must explain every gap. Those that both drop count twice.
    ///
    /// - Parameter position: That of the sink that lacks the most: the others get their records from later ones on.
    mutating func recount(from position: UInt64) { (formerEnd, recountedEnd) = (end, position) }

    /// Whether the drop of a record of a batch has not been counted.
    ///
    /// - Parameters:
    ///   - end: The position after the record.
    ///   - start: That of the batch. The records before a later batch would never be counted again.
    func lacks(_ end: UInt64, inBatchAt start: UInt64) -> Bool {
        end > self.end || end <= formerEnd && end > recountedEnd && start <= recountedEnd
    }

    /// Notes that the drops of a batch have been counted, as far as they were lacking.
    mutating func add(from start: UInt64, to end: UInt64) {
        if start <= recountedEnd { recountedEnd = max(recountedEnd, min(end, formerEnd)) }
        self.end = max(self.end, end)
    }
}
