/// The writer's state of one sink.
package struct SinkState {
    package let sink: any Sink
    /// The name in ring and ledger, unique within the pipeline: ``SinkNames``.
    package let name: String
    /// Its progress in the writer's own ring.
    var progress: SinkProgress
    /// The start of its failure and the time of the next attempt; `nil` while it accepts records.
    package var failure: Failure?
    /// Whether space is freed without waiting for it.
    var isDetached = false
    /// The number of records freed before it had them, to be reported when it works again.
    var missed: UInt64 = 0
    /// Whether it still lacks records of dead runs, which come before the writer's own.
    var isLate = false

    /// The records that it gets; `nil`: all.
    private(set) var sieve: SinkSieve?
    /// The filter of its records.
    package var filter: SinkFilter { sieve?.filter ?? SinkFilter() }

    init(_ filtered: FilteredSink, name: String, progress: SinkProgress) {
        sink = filtered.base
        self.name = name
        self.progress = progress
        setFilter(filtered.filter)
    }

    /// Creates the state of a sink without its own ring.
    package init(_ filtered: FilteredSink, name: String) {
        let checkpoint = SinkCheckpoint(ringPath: nil, run: .none, slot: 0) { _ in true }
        self.init(filtered, name: name, progress: SinkProgress(checkpoint: checkpoint, position: 0))
    }

    /// Sets the filter for the next batches.
    mutating func setFilter(_ filter: SinkFilter) { sieve = filter.isEmpty ? nil : SinkSieve(filter) }

    package struct Failure {
        let since: Int64
        let retryAt: Int64
        let delay: Int64
        package let reason: String
    }

    static let firstDelay: Int64 = 10_000_000
    static let longestDelay: Int64 = 1_000_000_000

    mutating func fail(_ reason: String, at now: Int64) {
        let delay = failure.map { min(2 * $0.delay, Self.longestDelay) } ?? Self.firstDelay
        failure = Failure(since: failure?.since ?? now, retryAt: now + delay, delay: delay, reason: reason)
    }

    func mayTry(at now: Int64) -> Bool { failure.map { now >= $0.retryAt } ?? true }

    /// Notes a success, which ends a failure.
    mutating func recover() {
        guard failure != nil || isDetached else { return }
        failure = nil
        isDetached = false
        let note = missed == 0 ? "" : "; it missed \(CountText.text(missed, "record"))"
        missed = 0
        Diagnostics.report("sink \(name) is accepting records again\(note)")
    }
}

/// The progress of a sink in a ring.
struct SinkProgress {
    /// Its stored position in the ring.
    let checkpoint: SinkCheckpoint
    /// Everything before this position has been written.
    var position: UInt64
    /// The records that its filter withheld before this position have been counted: in a dead run's ring this may be
    /// before or after the position that the sink itself has stored.
    var filteredUpTo: UInt64 = 0

    var slot: Int { checkpoint.slot }
}

/// A sink's position as stored in a ring.
///
/// The file sink stores it while it holds the log's lock, which makes it exactly-once.
///
/// Confined to the writer thread, or to the thread of a recovery.
final class SinkCheckpoint: @unchecked Sendable {
    /// The ring, by its file; `nil` for a queue in memory.
    let ringPath: String?
    let run: RingID
    /// The slot of the sink in the ring's table.
    let slot: Int
    private let storing: @Sendable (UInt64) -> Bool
    /// Counts the records before a position that the sink's filter withholds. A recovery starts at the position: it does
    /// not see them again.
    var counting: ((UInt64) -> Void)?

    init(ringPath: String?, run: RingID, slot: Int, storing: @escaping @Sendable (UInt64) -> Bool) {
        self.ringPath = ringPath
        self.run = run
        self.slot = slot
        self.storing = storing
    }

    /// Stores that everything before `position` has been written. Returns `false` when the ring's file cannot be
    /// written.
    func store(_ position: UInt64) -> Bool {
        counting?(position)
        return storing(position)
    }
}
