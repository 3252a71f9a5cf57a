internal import CTaffrail

/// A change of a pipeline's sinks on its way to the writer and back.
final class ChangeRequest: @unchecked Sendable {
    /// What became of it.
    enum Answer {
        /// The writer has not come to it and will not carry it out any more.
        case waiting
        /// The writer is at it and has not finished in time. It undoes the change as soon as it can.
        case abandoned
        /// What dead runs left comes first, or a record that is still being copied into the ring.
        case later
        case done(SinkChange)
    }

    private enum State {
        case asked, underWay, finishing, later, done, withdrawn, abandoned, undone
    }

    // The writer's alone while the change is under way, the asker's once it is done or undone.
    private var change: SinkChange
    private let before: [PlannedPlugin]
    private let processors: ProcessorChain?
    /// Everything before this position is the old sinks'.
    private let start: UInt64
    private let ledgers: ([any Sink]) -> [LedgerFile]
    private let state = Locked(State.asked)
    private let current = Locked<String?>(nil)
    private let word: UnsafeMutableRawPointer

    init(
        _ change: SinkChange, _ processors: ProcessorChain?, after start: UInt64,
        ledgers: @escaping ([any Sink]) -> [LedgerFile]
    ) {
        self.start = start
        self.ledgers = ledgers
        self.change = change
        self.processors = processors
        before = change.live.compactMap(\.part)
        word = .allocate(byteCount: 4, alignment: 4)
        word.initializeMemory(as: UInt32.self, repeating: 0, count: 1)
    }

    deinit { word.deallocate() }

    /// The sink that is being opened or closed.
    var part: String? { current.withLock { $0 } }

    /// The sinks of before, some of them opened again, once an abandoned change has been undone.
    var undone: [LiveSink]? { state.withLock { $0 == .undone } ? change.live : nil }

    /// Carries the change out. On the writer thread.
    func run(on writer: Writer) {
        let isUpToDate = writer.deliver(upTo: start)
        let isMine = state.withLock { state in
            guard state == .asked else { return false }
            state = isUpToDate ? .underWay : .later
            return state == .underWay
        }
        if isMine {
            change.perform { part in self.current.withLock { $0 = part } }
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
        Futex(word).advance()
    }

    private func use(on writer: Writer, processors: ProcessorChain?) {
        writer.replace(
            sinks: change.live.map(\.filtered), processors: processors, ledgers: ledgers(change.live.map(\.sink)))
    }

    /// Opens the sinks of before again.
    private func undo(on writer: Writer) {
        if change.failure == nil {
            Diagnostics.report("a change that took too long is undone")
            change = SinkChange(from: change.live, to: before, opensFiles: true)
            change.perform()
            if let failure = change.failure { Diagnostics.report("it cannot be undone: \(failure)") }
        }
        use(on: writer, processors: nil)
    }

    /// Waits until the writer has done it, at most until a time of the monotonic clock.
    func wait(until deadline: Int64) -> Answer {
        while true {
            let epoch = Futex(word).value
            let isLate = SystemClock.monotonicNanoseconds() >= deadline
            let answer = state.withLock { state -> Answer? in
                switch state {
                case .done: return .done(change)
                case .later where isLate:
                    state = .withdrawn
                    return .waiting
                case .later:
                    state = .asked
                    return .later
                case .asked where isLate:
                    state = .withdrawn
                    return .waiting
                case .underWay where isLate:
                    state = .abandoned
                    return .abandoned
                default: return nil
                }
            }
            if case .later = answer { Futex(word).wait(while: epoch, nanoseconds: 10_000_000) }
            if let answer { return answer }
            Futex(word).wait(while: epoch, nanoseconds: 100_000_000)
        }
    }
}
