/// A change of a pipeline's sinks, passed to the writer and back.
final class ChangeRequest: @unchecked Sendable {
    private enum State {
        case requested, underWay, finishing, done
        /// Not run: records of dead runs come first, or a record is still being copied into the ring.
        case later
        /// The writer has not started it in time and will not run it.
        case withdrawn
        /// The writer has not finished it in time. It undoes the change as soon as it can.
        case abandoned
        case undone
    }

    // Accessed by the writer while the change runs, and by the requester once it is done or undone.
    private var change: SinkChange
    private let processors: ProcessorChain?
    /// Records before this position belong to the old sinks.
    private let start: UInt64
    private let ledgers: ([any Sink]) -> [LedgerFile]
    private let state = Locked(State.requested)
    private let current = Locked<String?>(nil)
    private let word = WakeUp()

    init(
        _ change: SinkChange, _ processors: ProcessorChain?, after start: UInt64,
        ledgers: @escaping ([any Sink]) -> [LedgerFile]
    ) {
        self.start = start
        self.ledgers = ledgers
        self.change = change
        self.processors = processors
    }

    /// The sink that is being opened or closed.
    var part: String? { current.withLock { $0 } }

    /// Notes that a sink is about to be opened or closed.
    @inline(never)
    func begin(_ part: String) { current.withLock { $0 = part } }

    /// Whether the writer was running it when the time was over.
    var isAbandoned: Bool { state.withLock { $0 == .abandoned || $0 == .undone } }

    /// The old sinks, some of them reopened, once an abandoned change has been undone.
    var undone: [LiveSink]? { state.withLock { $0 == .undone } ? change.live : nil }

    /// Runs the change. On the writer thread.
    func run(on writer: Writer) {
        let isUpToDate = writer.deliver(upTo: start)
        let isMine = state.withLock { state in
            guard state == .requested else { return false }
            state = isUpToDate ? .underWay : .later
            return state == .underWay
        }
        if isMine {
            let before = change.live.compactMap(\.part)
            change.perform(for: self)
            let isWanted = state.withLock { state in
                guard state == .underWay else { return false }
                state = .finishing
                return true
            }
            let isMade = isWanted && change.failure == nil
            if !isWanted, change.failure == nil { undo(to: before) }
            writer.replace(
                sinks: change.live.map(\.filtered), processors: isMade ? processors : nil,
                ledgers: ledgers(change.live.map(\.sink)))
            state.withLock { $0 = isWanted ? .done : .undone }
        }
        word.advance()
    }

    /// Reopens the old sinks.
    private func undo(to before: [PlannedPlugin]) {
        Diagnostics.report("undoing a configuration change that took too long")
        change = SinkChange(live: change.live, parts: before, opensFiles: true, header: change.header)
        change.perform()
        if let failure = change.failure { Diagnostics.report("cannot undo the configuration change: \(failure)") }
    }

    /// Waits until the writer has finished, at most until a time of the monotonic clock.
    ///
    /// - Returns: The change; `nil` if it must be requested again.
    func wait(until deadline: Int64) throws(PipelineChangeError) -> SinkChange? {
        while true {
            let epoch = word.value
            let isLate = SystemClock.monotonicNanoseconds() >= deadline
            let (now, isLater) = state.withLock { state in
                let isLater = state == .later
                if isLater || state == .requested {
                    state = isLate ? .withdrawn : .requested
                } else if state == .underWay, isLate {
                    state = .abandoned
                }
                return (state, isLater)
            }
            switch now {
            case .done: return change
            case .withdrawn:
                throw PipelineChangeError(part: nil, reason: "the writer has been blocked by a sink for too long")
            case .abandoned:
                throw PipelineChangeError(
                    part: part, reason: "opening or closing the sink is taking too long; the change will be undone")
            default: word.wait(while: epoch, nanoseconds: isLater ? 10_000_000 : 100_000_000)
            }
            if isLater { return nil }
        }
    }
}
