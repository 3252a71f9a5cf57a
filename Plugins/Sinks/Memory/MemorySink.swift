internal import Synchronization
public import Taffrail

/// Keeps the last records in memory, for a program that shows its own log. It may be read from any thread.
public final class MemorySink: Sink, Sendable {
    /// The instance's name.
    public let name: String
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        /// As a ring once it is full; then `next` is the oldest.
        var records: [LogRecord] = []
        var next = 0
    }

    private struct Entry {
        weak var sink: MemorySink?
    }

    private static let instances = Mutex([String: Entry]())

    /// Makes an empty sink, which can be found by its name as long as it lives.
    public init(_ options: MemoryOptions = MemoryOptions(), name: String = "memory") {
        self.name = name
        capacity = options.capacity
        Self.instances.withLock { $0[name] = Entry(sink: self) }
    }

    /// The instance of a name, as the configuration has made it; `nil` when there is none.
    public static func named(_ name: String = "memory") -> MemorySink? { instances.withLock { $0[name]?.sink } }

    /// The last records, the oldest first.
    public var records: [LogRecord] {
        state.withLock { Array($0.records[$0.next...] + $0.records[..<$0.next]) }
    }

    /// Forgets all records.
    public func clear() { state.withLock { $0 = State() } }

    /// Keeps the records.
    public func write(_ batch: borrowing RecordBatch) throws(SinkError) {
        batch.forEach { view in
            let record = LogRecord(view)
            state.withLock { state in
                if state.records.count < capacity {
                    state.records.append(record)
                } else {
                    state.records[state.next] = record
                    state.next = (state.next + 1) % capacity
                }
            }
        }
    }
}

extension Sink where Self == MemorySink {
    /// The last records in memory, for a pipeline that is set up in code: `Pipeline(sinks: [.memory()])`.
    public static func memory(_ options: MemoryOptions = MemoryOptions(), named name: String = "memory") -> MemorySink {
        MemorySink(options, name: name)
    }
}
