/// How many records were dropped: by level, and among which numbers.
struct DropTally {
    /// By level's raw value.
    private(set) var levels = SIMD8<UInt64>(repeating: 0)
    private(set) var count: UInt64 = 0
    /// The lowest and the highest sequence number. Records without a number do not count.
    private(set) var first = UInt64.max
    private(set) var last: UInt64 = 0

    /// An empty tally.
    init() {}

    /// Records without sequence numbers.
    ///
    /// - Parameter level: `nil` when unknown.
    init(_ count: UInt64, level: Level?) {
        self.count = count
        if let level { levels[Int(level.rawValue)] = count }
    }

    /// The range that contains their sequence numbers.
    var sequences: ClosedRange<UInt64>? { first <= last ? first...last : nil }

    /// The records of known level.
    var byLevel: [Level: UInt64] {
        var known: [Level: UInt64] = [:]
        for level in Level.allCases where levels[Int(level.rawValue)] > 0 { known[level] = levels[Int(level.rawValue)] }
        return known
    }

    /// Counts a record that has a sequence number.
    @inline(__always)
    mutating func add(_ record: RecordFields) {
        levels[Int(record.level.rawValue)] &+= 1
        count &+= 1
        first = min(first, record.sequence)
        last = max(last, record.sequence)
    }

    /// Returns the tally, and starts again.
    mutating func take() -> DropTally {
        defer { self = DropTally() }
        return self
    }

    /// Adds another tally.
    mutating func add(_ other: DropTally) {
        levels &+= other.levels
        count &+= other.count
        first = min(first, other.first)
        last = max(last, other.last)
    }
}
