/// Why a record is missing, as the ledger has it (decision 0008).
public enum DropReason: String, Sendable, Hashable, CaseIterable {
    /// There was no room in the queue, and its options said not to wait, or not any longer.
    case full
    /// No sink took records, and the room left was kept for more serious ones.
    case degraded
    /// The queue had ended, or none could be made.
    case closed
    /// The call could not make the record: there was no memory, or a sink or a processor logged.
    case unbuilt
    /// A processor dropped it, as configured.
    case processor
    /// The sink refused it for good.
    case refused
    /// The sink failed, and the queue went on without it.
    case behind
    /// The sink was taken out of the configuration before it had the record.
    case gone
    /// What a killed program left makes no sense at that offset.
    case damaged
    /// The sink's own `level` and `only` kept it from the sink, as configured.
    case filtered
    /// The sink had taken it, and had no room to keep it until it could be delivered.
    case overflow
    /// The sink had taken it, and it became too old before it could be delivered.
    case expired
    /// The sink had taken it, and the far end refused it permanently.
    case rejected
    /// The sink had written it into a file, which another program deleted while the sink was writing it.
    case deleted

    /// The reasons that callers count in the ring's header, in the order of the columns there.
    package static let ofCallers: [DropReason] = [.full, .degraded, .closed, .unbuilt]

    /// Whether a configuration asked for it: nothing is lost.
    public var isIntended: Bool { self == .processor || self == .filtered }

    /// The place of a reason that callers count in the ring's header.
    var column: Int {
        switch self {
        case .degraded: 1
        case .closed: 2
        case .unbuilt: 3
        default: 0
        }
    }
}

/// How many records were dropped: by level, and among which numbers.
struct DropTally: Equatable {
    /// By level's raw value.
    private(set) var levels = SIMD8<UInt64>(repeating: 0)
    private(set) var count: UInt64 = 0
    /// The lowest and the highest number; none of those that have no number.
    private(set) var first = UInt64.max
    private(set) var last: UInt64 = 0

    /// Nothing.
    init() {}

    /// Records without numbers; `nil` for levels that are not known.
    init(_ count: UInt64, level: Level?) {
        self.count = count
        if let level { levels[Int(level.rawValue)] = count }
    }

    /// The numbers that they lie among.
    var sequences: ClosedRange<UInt64>? { first <= last ? first...last : nil }

    /// Those of which the level is known.
    var byLevel: [Level: UInt64] {
        var known: [Level: UInt64] = [:]
        for level in Level.allCases where levels[Int(level.rawValue)] > 0 { known[level] = levels[Int(level.rawValue)] }
        return known
    }

    /// Counts one record that has a number.
    @inline(__always)
    mutating func add(_ record: RecordFields) {
        levels[Int(record.level.rawValue)] &+= 1
        count &+= 1
        first = min(first, record.sequence)
        last = max(last, record.sequence)
    }

    /// Counts the records that lie in `length` bytes.
    mutating func add(recordsAt base: UnsafeRawPointer, length: Int) {
        var offset = 0
        while offset < length {
            add(RecordFields(base + offset))
            offset += RecordLayout.length(of: base + offset)
        }
    }

    /// Counts those of another tally.
    mutating func add(_ other: DropTally) {
        levels &+= other.levels
        count &+= other.count
        first = min(first, other.first)
        last = max(last, other.last)
    }
}
