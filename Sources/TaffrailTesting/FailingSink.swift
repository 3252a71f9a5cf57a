public import Taffrail

/// A sink that fails on demand, for tests. Any thread may control it.
///
/// It stores accepted records in memory, without duplicates and in order.
public final class FailingSink: Sink, Sendable {
    /// How a sink fails.
    public struct Failure: Sendable, Hashable {
        /// How the writer continues.
        public var kind: SinkError.Kind
        /// The number of records of a batch that are accepted before it fails; at most all but one.
        public var taken: Int
        /// The number of calls that fail; `nil`: all until ``FailingSink/restore()``.
        public var times: Int?
        /// The reason in the error.
        public var reason: String

        /// Creates a failure.
        public init(_ kind: SinkError.Kind, taken: Int = 0, times: Int? = nil, reason: String = "configured to fail") {
            self.kind = kind
            self.taken = taken
            self.times = times
            self.reason = reason
        }

        /// A destination that is unavailable until ``FailingSink/restore()``.
        public static let temporary = Failure(.temporary)
    }

    /// The name under which the queue stores this sink's position.
    public let name: String
    private let memory: MemorySink
    private let state = Locked(State())
    private let refuses: @Sendable (LogRecord) -> Bool

    private struct State {
        var failure: Failure?
        var attempts = 0
        var failures = 0
        var flushFails = false
    }

    /// Creates a sink that works until set to fail.
    ///
    /// - Parameters:
    ///   - name: The sink's name.
    ///   - refuses: Records to refuse permanently. Default: none.
    public init(name: String = "failing", refusing refuses: @escaping @Sendable (LogRecord) -> Bool = { _ in false }) {
        self.name = name
        self.refuses = refuses
        memory = MemorySink(name: name)
    }

    /// Fails starting with the next call of ``write(_:)``.
    public func fail(_ failure: Failure = .temporary) { state.withLock { $0.failure = failure } }

    /// Ends the failure.
    public func restore() {
        state.withLock {
            $0.failure = nil
            $0.flushFails = false
        }
    }

    /// Makes ``flush()`` fail until ``restore()``.
    public func failFlush() { state.withLock { $0.flushFails = true } }

    /// The records accepted so far, in order.
    public var records: [LogRecord] { memory.records }
    /// The messages accepted so far, in order.
    public var messages: [String] { memory.messages }
    /// The number of times that ``flush()`` succeeded, including in ``close()``.
    public var flushes: Int { memory.flushes }
    /// Whether ``close()`` was called.
    public var isClosed: Bool { memory.isClosed }
    /// The number of calls of ``write(_:)``.
    public var attempts: Int { state.withLock { $0.attempts } }
    /// The number of failed calls of ``write(_:)``.
    public var failures: Int { state.withLock { $0.failures } }

    /// Stores the records, or fails on demand.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        let failure = nextFailure()
        var limit = batch.count
        if let failure { limit = min(failure.taken, batch.count - 1) }
        var taken: [LogRecord] = []
        var refused = false
        batch.forEach { view in
            guard taken.count < limit, !refused else { return }
            let record = LogRecord(view)
            if refuses(record) { refused = true } else { taken.append(record) }
        }
        memory.keep(taken)
        guard refused || failure != nil else { return }
        state.withLock { $0.failures += 1 }
        if refused { throw .permanent("refused permanently", taken: taken.count) }
        if let failure { throw SinkError(failure.kind, taken: taken.count, reason: failure.reason) }
    }

    private func nextFailure() -> Failure? {
        state.withLock { state in
            state.attempts += 1
            let failure = state.failure
            if let times = failure?.times {
                if times <= 1 { state.failure = nil } else { state.failure?.times = times - 1 }
            }
            return failure
        }
    }

    /// Counts the call, or fails on demand.
    public func flush() throws(SinkError) {
        if state.withLock({ $0.flushFails }) { throw .temporary("configured to fail at flush") }
        try memory.flush()
    }

    /// Counts the call, and sets ``isClosed``.
    public func close() throws(SinkError) { try memory.close() }
}
