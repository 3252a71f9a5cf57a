/// The records of a ring whose drops by processors have been counted. Several sinks get the same records, each from its
/// own position on, and a sink may be ahead of another one that lacks earlier records.
struct CountedDrops {
    /// In order, with records between them that have not been counted.
    private var stretches: [(start: UInt64, end: UInt64)]

    init(upTo end: UInt64) { stretches = [(0, end)] }

    /// Everything before this position has been counted; later records may have been, too.
    var end: UInt64 { stretches.first?.end ?? 0 }

    /// Returns whether the drop of a record has not been counted, given the position after it.
    func lacks(_ position: UInt64) -> Bool { !stretches.contains { $0.start < position && position <= $0.end } }

    /// Notes that the drops of a batch have been counted, as far as they were lacking.
    mutating func add(from start: UInt64, to end: UInt64) {
        // Usually there is one, which grows.
        if stretches.count == 1, stretches[0].start <= start, start <= stretches[0].end {
            stretches[0].end = max(stretches[0].end, end)
            return
        }
        var added = (start: start, end: end)
        stretches.removeAll { other in
            guard other.start <= added.end, added.start <= other.end else { return false }
            added = (min(added.start, other.start), max(added.end, other.end))
            return true
        }
        stretches.insert(added, at: stretches.firstIndex { $0.start > added.start } ?? stretches.count)
    }

    /// Counts bytes without readable records as part of the stretch before them, so that damage causes no gaps.
    mutating func skip(from start: UInt64, to end: UInt64) {
        for index in stretches.indices where stretches[index].end == start { stretches[index].end = end }
    }
}
