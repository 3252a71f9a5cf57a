/// Keeps records in memory, for a program that displays its own log and for tests. Any thread may read it.
public final class MemorySink: Sink, Sendable {
    /// The instance's name, under which the queue stores its position.
    public let name: String
    private let capacity: Int
    private let state = Locked(State())

    private struct State {
        /// A ring once it is full; `next` is then the oldest.
        var records: [LogRecord] = []
        var next = 0
        var flushes = 0
        var isClosed = false
    }

    private struct Entry {
        let name: String
        weak var sink: MemorySink?
    }

    /// The latest instance of each name.
    private static let instances = Locked([Entry]())

    /// Creates an empty sink, which can be found by its name until it is freed.
    ///
    /// - Parameters:
    ///   - capacity: The number of records to keep, at least 1; the oldest is discarded first. Default: all.
    ///   - name: The name for ``named(_:)``.
    public init(capacity: Int = .max, name: String = "memory") {
        self.name = name
        self.capacity = max(1, capacity)
        Self.instances.withLock { instances in
            instances.removeAll { $0.name == name || $0.sink == nil }
            instances.append(Entry(name: name, sink: self))
        }
    }

    /// Returns the latest instance with a name, such as one created by a configuration; `nil` if none.
    public static func named(_ name: String = "memory") -> MemorySink? {
        instances.withLock { $0.first { $0.name == name }?.sink }
    }

    /// The stored records, oldest first.
    public var records: [LogRecord] {
        state.withLock { state in
            state.records.indices.map { state.records[(state.next + $0) % state.records.count] }
        }
    }
    /// The messages of the stored records.
    public var messages: [String] { records.map(\.message) }
    /// The number of calls of ``flush()``, including ``close()``.
    public var flushes: Int { state.withLock { $0.flushes } }
    /// Whether ``close()`` was called.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Removes all records.
    public func clear() {
        state.withLock {
            $0.records = []
            $0.next = 0
        }
    }

    /// Stores the records.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        var taken: [LogRecord] = []
        taken.reserveCapacity(batch.count)
        batch.forEach { taken.append(LogRecord($0)) }
        keep(taken)
    }

    package func keep(_ records: [LogRecord]) {
        state.withLock { state in
            for record in records {
                if state.records.count < capacity {
                    state.records.append(record)
                } else {
                    state.records[state.next] = record
                    state.next = (state.next + 1) % capacity
                }
            }
        }
    }

    /// Counts the call.
    public func flush() throws(SinkError) { state.withLock { $0.flushes += 1 } }

    /// Counts the call and sets ``isClosed``.
    public func close() throws(SinkError) {
        state.withLock {
            $0.flushes += 1
            $0.isClosed = true
        }
    }
}
