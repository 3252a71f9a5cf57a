internal import Synchronization

/// Requests to a writer: to end, or to run a closure between two batches.
final class WriterMailbox: Sendable {
    /// How to end the ring.
    struct Closing {
        /// The position after the last record.
        let end: UInt64
        /// The time limit, on the monotonic clock.
        let deadline: Int64
        let closesSinks: Bool
    }

    /// The state that a writer leaves in its ring.
    enum End {
        case nothing
        case records
        /// A caller has not finished its record, and is still writing to the ring.
        case unfinishedRecord
    }

    private struct State {
        var closing: Closing?
        var tasks: [@Sendable (Writer) -> Void] = []
        var end: End?
    }

    private let state = Locked(State())
    /// 1 when there is something to do; saves the writer the lock.
    private let mail = Atomic<Bool>(false)
    private let done = WakeUp()

    /// Posts a closure to run on the writer thread, between two batches.
    func post(_ task: @escaping @Sendable (Writer) -> Void) {
        state.withLock { $0.tasks.append(task) }
        mail.store(true, ordering: .releasing)
    }

    func close(_ request: Closing) {
        state.withLock { $0.closing = request }
        mail.store(true, ordering: .releasing)
    }

    /// The request to end, or `nil`.
    var closing: Closing? { mail.load(ordering: .acquiring) ? state.withLock { $0.closing } : nil }

    /// Whether a posted closure has not run yet.
    var isWaiting: Bool { state.withLock { !$0.tasks.isEmpty } }

    func run(_ writer: Writer) {
        guard mail.load(ordering: .acquiring) else { return }
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            if state.closing == nil { mail.store(false, ordering: .relaxed) }
            return state.tasks
        }
        for task in tasks { task(writer) }
    }

    /// Notes that the writer has ended. Its last action here.
    func finish(_ end: End) {
        state.withLock { $0.end = end }
        done.advance()
    }

    /// How the writer has ended; `nil` while it runs.
    var end: End? { state.withLock { $0.end } }

    /// Waits for the writer to end, until a time of the monotonic clock.
    ///
    /// - Returns: That state; `nil` if the writer has not ended in time.
    func waitForEnd(until deadline: Int64) -> End? {
        while true {
            let epoch = done.value
            if let end { return end }
            let left = deadline - SystemClock.monotonicNanoseconds()
            guard left > 0 else { return nil }
            done.wait(while: epoch, nanoseconds: left)
        }
    }
}
