internal import Synchronization

/// What others ask of a writer: to end, or to run something between two batches.
final class WriterMailbox: Sendable {
    /// How the ring shall end.
    struct Closing {
        /// The position behind the last record.
        let end: UInt64
        /// When to give up, on the monotonic clock.
        let deadline: Int64
        let closesSinks: Bool
    }

    private struct State {
        var closing: Closing?
        var tasks: [@Sendable (Writer) -> Void] = []
        var isFinished = false
        var isEmpty = false
    }

    private let state = Guarded(State())
    /// 1 when there is something to look for; saves the writer the lock.
    private let mail = Atomic<Bool>(false)
    private nonisolated(unsafe) let done: UnsafeMutableRawPointer

    init() {
        done = .allocate(byteCount: 4, alignment: 4)
        done.initializeMemory(as: UInt32.self, repeating: 0, count: 1)
    }

    deinit { done.deallocate() }

    /// Asks for something to be run on the writer thread, between two batches.
    func post(_ task: @escaping @Sendable (Writer) -> Void) {
        state.withLock { $0.tasks.append(task) }
        mail.store(true, ordering: .releasing)
    }

    /// Asks the writer to end.
    func close(_ request: Closing) {
        state.withLock { $0.closing = request }
        mail.store(true, ordering: .releasing)
    }

    /// What was asked for, or `nil`.
    var closing: Closing? { mail.load(ordering: .acquiring) ? state.withLock { $0.closing } : nil }

    /// Whether something posted has not been run.
    var isWaiting: Bool { state.withLock { !$0.tasks.isEmpty } }

    /// Runs what was posted.
    func run(_ writer: Writer) {
        guard mail.load(ordering: .acquiring) else { return }
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            if state.closing == nil { mail.store(false, ordering: .relaxed) }
            return state.tasks
        }
        for task in tasks { task(writer) }
    }

    /// The writer's last word.
    func finish(isEmpty: Bool) {
        state.withLock {
            $0.isFinished = true
            $0.isEmpty = isEmpty
        }
        Futex(done).advance()
    }

    /// Waits for the writer's end, until a moment of the monotonic clock.
    ///
    /// - Returns: Whether everything had been written; `nil` when it has not ended in time.
    func waitForEnd(until deadline: Int64) -> Bool? {
        while true {
            let epoch = Futex(done).value
            let result: Bool?? = state.withLock { $0.isFinished ? .some($0.isEmpty) : nil }
            if let result { return result }
            let left = deadline - Clock.monotonicNanoseconds()
            guard left > 0 else { return nil }
            Futex(done).wait(while: epoch, nanoseconds: left)
        }
    }
}
