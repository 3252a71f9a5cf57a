public import Taffrail

/// A sink that keeps its records in memory. It may be read from any thread.
public final class MemorySink: Sink, Sendable {
    private let state = Guarded(State())
    /// The name under which the queue keeps this sink's position.
    public let name: String

    private struct State {
        var records: [LogRecord] = []
        var flushes = 0
        var isClosed = false
    }

    /// Makes an empty sink.
    public init(name: String = "memory") { self.name = name }

    /// The records taken so far, in order.
    public var records: [LogRecord] { state.withLock { $0.records } }
    /// The messages taken so far, in order.
    public var messages: [String] { records.map(\.message) }
    /// How often ``flush()`` was called, ``close()`` included.
    public var flushes: Int { state.withLock { $0.flushes } }
    /// Whether ``close()`` was called.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Keeps the records.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var taken: [LogRecord] = []
        taken.reserveCapacity(batch.count)
        batch.forEach { taken.append(LogRecord($0)) }
        keep(taken)
    }

    func keep(_ records: [LogRecord]) { state.withLock { $0.records += records } }

    /// Counts.
    public func flush() throws(SinkError) { state.withLock { $0.flushes += 1 } }

    /// Counts, and remembers that it was closed.
    public func close() throws(SinkError) {
        state.withLock {
            $0.flushes += 1
            $0.isClosed = true
        }
    }
}
