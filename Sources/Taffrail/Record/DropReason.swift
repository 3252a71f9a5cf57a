/// Why a record is missing. The raw value is the spelling in the ledger (decision 0008).
package enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// The queue was full, and its options forbade waiting, or the longest wait was over.
    case full
    /// No sink was accepting records, and the queue kept its remaining space for higher levels.
    case degraded
    /// The queue was closed, or could not be created.
    case closed
    /// The call could not encode the record: out of memory, or the caller was a sink or a processor.
    case encodingFailed = "unbuilt"
    /// A processor dropped it, as configured.
    case processor
    /// The sink refused it permanently.
    case refused
    /// The sink kept failing, and the queue dropped the record to make room.
    case sinkLagging = "behind"
    /// The sink was removed from the configuration before it had written the record.
    case sinkRemoved = "gone"
    /// The ring of a killed program is damaged at that offset.
    case damaged
    /// The `level` or `only` of the sink excluded it, as configured.
    case filtered
    /// The sink accepted it, and ran out of space before it could deliver it.
    case overflow
    /// The sink accepted it, and it expired before it could be delivered.
    case expired
    /// The sink accepted it, and the remote end refused it permanently.
    case rejected
    /// The sink wrote it into a file that another program deleted during the write.
    case deleted
    /// The sink accepted it, and the stored record was damaged before it could be delivered.
    case unreadable

    /// The reasons that callers count in the ring's header, in the order of the columns there.
    package static let ofCallers: [DropReason] = [.full, .degraded, .closed, .encodingFailed]

    /// Whether the configuration asks for it, so that nothing is lost.
    package var isIntended: Bool { self == .processor || self == .filtered }

    /// The column of a reason that callers count in the ring's header.
    var column: Int {
        switch self {
        case .degraded: 1
        case .closed: 2
        case .encodingFailed: 3
        default: 0
        }
    }
}

/// How many records were dropped: by level, and among which numbers.
struct DropTally: Equatable {
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

    /// Counts the records in `length` bytes.
    mutating func add(recordsAt base: UnsafeRawPointer, length: Int) {
        var offset = 0
        while offset < length {
            add(RecordFields(base + offset))
            offset += RecordLayout.length(of: base + offset)
        }
    }

    /// Adds another tally.
    mutating func add(_ other: DropTally) {
        levels &+= other.levels
        count &+= other.count
        first = min(first, other.first)
        last = max(last, other.last)
    }
}
