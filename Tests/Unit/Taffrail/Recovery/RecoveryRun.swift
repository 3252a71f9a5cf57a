import Glibc

@testable import Taffrail

/// The result of recovering one directory.
struct RecoveryRun {
    let recovery: Recovery
    var isDone = false

    /// Recovers as far as it comes.
    ///
    /// - Parameter hasLiving: Whether a ring among them belongs to a run that lives.
    init(
        _ directory: String, sinks: [any Sink], isOursOnly: Bool = false, turns: Int = 1, hasLiving: Bool = false,
        processors: [any Processor] = [], chain: ProcessorChain? = nil, ledger: Bool = false
    ) {
        var scope = Recovery.Scope(directories: [directory])
        scope.isOursOnly = isOursOnly
        scope.ledgers = ledger ? [LedgerFile(directory: directory)] : []
        recovery = Recovery(scope)
        var states = zip(sinks, SinkNames.unique(for: sinks)).map { SinkState(FilteredSink($0), name: $1) }
        let chain = chain ?? ProcessorChain(processors)
        var now = SystemClock.monotonicNanoseconds()
        for _ in 0..<turns where !isDone {
            if !hasLiving { Self.awaitUnlocked(directory) }
            recovery.advance(sinks: &states, processors: chain, now: now)
            isDone = recovery.isDone
            // The delay after a failure is over.
            now += 10 * SinkState.longestDelay
        }
    }

    /// A child that another test starts holds all locks of this process until it executes its program.
    ///
    /// - Parameter own: The path of a ring whose run lives.
    static func awaitUnlocked(_ directory: String, except own: String? = nil) {
        let end = SystemClock.monotonicNanoseconds() + 30_000_000_000
        for name in Recovery.rings(in: directory) where directory + "/" + name != own {
            while case .readable(let ring) = RingFile.inspect(directory + "/" + name), ring.isLocked,
                SystemClock.monotonicNanoseconds() < end
            {
                sched_yield()
            }
        }
    }
}
