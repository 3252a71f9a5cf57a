/// A change of a pipeline's sinks, passed to the writer and back.
final class ChangeRequest: @unchecked Sendable {
    /// The outcome of the change.
    enum Answer {
        /// The writer has not started it and will not run it.
        case waiting
        /// The writer has not finished it in time. It undoes the change as soon as it can.
        case abandoned
        /// Not run: records of dead runs come first, or a record is still being copied into the ring.
        case later
        case done(SinkChange)
    }

    private enum State {
        case requested, underWay, finishing, later, done, withdrawn, abandoned, undone
    }

    // Accessed by the writer while the change runs, and by the requester once it is done or undone.
    private var change: SinkChange
    private let before: [PlannedPlugin]
    private let processors: ProcessorChain?
    /// Records before this position belong to the old sinks.
    private let start: UInt64
    private let ledgers: ([any Sink]) -> [LedgerFile]
    private let header: RingHeader?
    private let state = Locked(State.requested)
    private let current = Locked<String?>(nil)
    private let word = WakeUp()

    /// - Parameter header: That of the writer's ring.
    init(
        _ change: SinkChange, _ processors: ProcessorChain?, after start: UInt64, header: RingHeader?,
        ledgers: @escaping ([any Sink]) -> [LedgerFile]
    ) {
        self.start = start
        self.header = header
        self.ledgers = ledgers
        self.change = change
        self.processors = processors
        before = change.live.compactMap(\.part)
    }

    /// The sink that is being opened or closed.
    var part: String? { current.withLock { $0 } }

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
            change.perform { part in self.current.withLock { $0 = part } }
            noteLosses()
            let isWanted = state.withLock { state in
                guard state == .underWay else { return false }
                state = .finishing
                return true
            }
            if isWanted {
                use(on: writer, processors: change.failure == nil ? processors : nil)
            } else {
                undo(on: writer)
            }
            state.withLock { $0 = isWanted ? .done : .undone }
        }
        word.advance()
    }

    /// Remembers that a closed sink has lost writes, which the new sinks do not know.
    private func noteLosses() { if change.hasLostWrites { header?.setHasClosedLostSink() } }

    private func use(on writer: Writer, processors: ProcessorChain?) {
        writer.replace(
            sinks: change.live.map(\.filtered), processors: processors, ledgers: ledgers(change.live.map(\.sink)))
    }

    /// Reopens the old sinks.
    private func undo(on writer: Writer) {
        if change.failure == nil {
            Diagnostics.report("undoing a change that took too long")
            change = SinkChange(from: change.live, to: before, opensFiles: true)
            change.perform()
            noteLosses()
            if let failure = change.failure { Diagnostics.report("cannot undo it: \(failure)") }
        }
        use(on: writer, processors: nil)
    }

    /// Waits until the writer has finished, at most until a time of the monotonic clock.
    func wait(until deadline: Int64) -> Answer {
        while true {
            let epoch = word.value
            let isLate = SystemClock.monotonicNanoseconds() >= deadline
            let answer = state.withLock { state -> Answer? in
                switch state {
                case .done: return .done(change)
                case .later where isLate:
                    state = .withdrawn
                    return .waiting
                case .later:
                    state = .requested
                    return .later
                case .requested where isLate:
                    state = .withdrawn
                    return .waiting
                case .underWay where isLate:
                    state = .abandoned
                    return .abandoned
                default: return nil
                }
            }
            if case .later = answer { word.wait(while: epoch, nanoseconds: 10_000_000) }
            if let answer { return answer }
            word.wait(while: epoch, nanoseconds: 100_000_000)
        }
    }
}
