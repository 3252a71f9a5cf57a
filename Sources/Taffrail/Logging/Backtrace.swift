internal import CTaffrail

extension Logger {
    /// Keeps the records that the level holds back in memory while `operation` runs, and logs them when the task, or a
    /// child of it, logs an error: what led to it is then in the log, with the times of the calls.
    ///
    /// While it is on, the pipeline's loggers make records from `level` on, for all tasks; those of other tasks are not
    /// even built, but cost more than a disabled call. What has not been released when `operation` ends is forgotten.
    ///
    /// - Parameters:
    ///   - level: The lowest level that is kept. Default ``Level/trace``.
    ///   - capacity: How many records are kept; the oldest goes first. From 1 to 100,000, default 100.
    public func withBacktrace<R>(
        from level: Level = .trace, capacity: Int = 100, operation: () throws -> R
    ) rethrows -> R {
        let pipeline = pipeline
        pipeline.lowerGates(to: level, by: 1)
        defer { pipeline.lowerGates(to: level, by: -1) }
        return try TaskContext.keeping(Backtrace(from: level, capacity: capacity)).bind(operation: operation)
    }

    /// Keeps the records that the level holds back in memory while `operation` runs, and logs them when the task, or a
    /// child of it, logs an error.
    ///
    /// - Parameters:
    ///   - level: The lowest level that is kept. Default ``Level/trace``.
    ///   - capacity: How many records are kept; the oldest goes first. From 1 to 100,000, default 100.
    public nonisolated(nonsending) func withBacktrace<R>(
        from level: Level = .trace, capacity: Int = 100, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        let pipeline = pipeline
        pipeline.lowerGates(to: level, by: 1)
        defer { pipeline.lowerGates(to: level, by: -1) }
        return try await TaskContext.keeping(Backtrace(from: level, capacity: capacity)).bind(operation: operation)
    }
}

/// The records of a task that its level held back: encoded, oldest first.
final class Backtrace: Sendable {
    private struct Kept: @unchecked Sendable {
        let bytes: [UInt8]
        let level: Level
        let timestamp: Int64
        // Sources live as long as the process.
        let source: UnsafeMutablePointer<LoggerState>
    }

    private let level: Level
    private let capacity: Int
    /// What is kept, as a ring: once it is full, each record takes the oldest one's place.
    private struct Ring {
        private var records: [Kept] = []
        private var oldest = 0

        mutating func add(_ record: Kept, capacity: Int) {
            guard records.count == capacity else { return records.append(record) }
            records[oldest] = record
            oldest = (oldest + 1) % capacity
        }

        /// Takes all records, oldest first.
        mutating func take() -> [Kept] {
            defer { self = Ring() }
            return Array(records[oldest...] + records[..<oldest])
        }
    }

    private let kept = Locked(Ring())

    init(from level: Level, capacity: Int) {
        self.level = level
        self.capacity = min(max(1, capacity), 100_000)
    }

    /// What becomes of a call that has passed the gate.
    enum Decision {
        case log
        /// It is kept by ``current``.
        case keep
        /// It passed only because of somebody else's backtrace.
        case ignore
    }

    /// The calling task's.
    static var current: Backtrace? { TaskContext.current?.backtrace }

    /// Judges a call on the caller's thread; an error releases what was kept.
    ///
    /// - Parameter floor: The level that the configuration lets through.
    @inline(never)
    static func evaluate(_ level: Level, floor: UInt8) -> Decision {
        let backtrace = current
        if level.rawValue < floor {
            guard let backtrace, level >= backtrace.level else { return .ignore }
            return .keep
        }
        if level >= .error { backtrace?.release() }
        return .log
    }

    func keep(
        _ record: UnsafeMutableRawPointer, length: Int, level: Level, timestamp: Int64,
        source: UnsafeMutablePointer<LoggerState>
    ) {
        let bytes = [UInt8](UnsafeRawBufferPointer(start: record, count: length))
        let record = Kept(bytes: bytes, level: level, timestamp: timestamp, source: source)
        kept.withLock { $0.add(record, capacity: capacity) }
    }

    private func release() {
        let records = kept.withLock { $0.take() }
        for record in records { submit(record) }
    }

    private func submit(_ record: Kept) {
        // The ring takes records from aligned memory.
        withUnsafeTemporaryAllocation(byteCount: record.bytes.count, alignment: RecordLayout.alignment) { room in
            room.copyBytes(from: record.bytes)
            guard let base = room.baseAddress else { return }
            record.source.submit(
                base, length: record.bytes.count, level: record.level, timestamp: record.timestamp,
                context: ContextWord.isSettled)
        }
    }
}
