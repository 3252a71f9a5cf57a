extension Logger {
    /// Buffers the records below the level in memory while `operation` runs, and logs them if the task or a child task
    /// logs an error: the log then contains the events that led to it, with the times of the calls.
    ///
    /// Meanwhile the pipeline's loggers pass records from `level` up through the gate, for all tasks. Records of other
    /// tasks are not encoded, but cost more than a disabled call. Records that have not been released when `operation`
    /// ends are discarded.
    ///
    /// - Parameters:
    ///   - level: The lowest level to buffer. Default ``Level/trace``.
    ///   - capacity: The number of records to buffer; the oldest is discarded first. From 1 to 100,000, default 100.
    ///   - operation: The operation to run.
    public func withBacktrace<R>(
        from level: Level = .trace, capacity: Int = 100, operation: () throws -> R
    ) rethrows -> R {
        let pipeline = resolved.pointee.pipeline
        pipeline?.lowerGates(to: level, by: 1)
        defer { pipeline?.lowerGates(to: level, by: -1) }
        return try TaskContext(backtrace: Backtrace(from: level, capacity: capacity)).bind(operation: operation)
    }

    /// Buffers the records below the level in memory while `operation` runs, and logs them if the task or a child task
    /// logs an error; the version for asynchronous code.
    public nonisolated(nonsending) func withBacktrace<R>(
        from level: Level = .trace, capacity: Int = 100, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        let pipeline = resolved.pointee.pipeline
        pipeline?.lowerGates(to: level, by: 1)
        defer { pipeline?.lowerGates(to: level, by: -1) }
        return try await TaskContext(backtrace: Backtrace(from: level, capacity: capacity)).bind(operation: operation)
    }
}

/// The buffered records of a task: encoded, oldest first.
final class Backtrace: Sendable {
    private struct Kept: @unchecked Sendable {
        let bytes: [UInt8]
        let level: Level
        let timestamp: Int64
        // Logger states are never freed.
        let source: UnsafeMutablePointer<LoggerState>
        /// Identifies the keys and guards that have been applied to it.
        let redaction: UInt
    }

    private let level: Level
    private let capacity: Int
    /// A ring of records: once it is full, each record replaces the oldest one.
    private struct Ring {
        private var records: [Kept] = []
        private var oldest = 0

        mutating func add(_ record: Kept, capacity: Int) {
            guard records.count == capacity else { return records.append(record) }
            records[oldest] = record
            oldest = (oldest + 1) % capacity
        }

        /// Removes and returns all records, oldest first.
        mutating func take() -> [Kept] {
            defer { self = Ring() }
            return records.indices.map { records[(oldest + $0) % records.count] }
        }
    }

    private let kept = Locked(Ring())

    init(from level: Level, capacity: Int) {
        self.level = level
        self.capacity = min(max(1, capacity), 100_000)
    }

    /// The action for a call that has passed the gate.
    enum Decision {
        case log
        /// Buffer it in ``current``.
        case keep
        /// Ignore it: it passed the gate only because of another task's backtrace.
        case ignore
    }

    /// The backtrace of the calling task.
    static var current: Backtrace? { TaskContext.current?.backtrace }

    /// Decides about a call, on the caller's thread. An error releases the buffered records.
    ///
    /// - Parameter floor: The minimum level of the configuration.
    @inline(never)
    static func evaluate(_ level: Level, floor: UInt8) -> Decision {
        let backtrace = current
        if level.rawValue < floor {
            guard let backtrace, level >= backtrace.level else { return .ignore }
            return .keep
        }
        if level >= .error, let backtrace {
            for record in backtrace.kept.withLock({ $0.take() }) { backtrace.submit(record) }
        }
        return .log
    }

    /// Buffers a copy of a record.
    ///
    /// - Parameter redaction: Identifies the keys and guards that have been applied to it.
    func keep(
        _ record: UnsafeMutableRawPointer, length: Int, level: Level, timestamp: Int64,
        source: UnsafeMutablePointer<LoggerState>, by redaction: UInt
    ) {
        let bytes = [UInt8](UnsafeRawBufferPointer(start: record, count: length))
        let record = Kept(bytes: bytes, level: level, timestamp: timestamp, source: source, redaction: redaction)
        kept.withLock { $0.add(record, capacity: capacity) }
    }

    private func submit(_ record: Kept) {
        // The ring accepts records from aligned memory only.
        withUnsafeTemporaryAllocation(byteCount: record.bytes.count, alignment: RecordLayout.alignment) { room in
            room.copyBytes(from: record.bytes)
            guard let base = room.baseAddress else { return }
            let redaction = record.source.pointee.redaction.identity
            if redaction != record.redaction, let changed = PermanentReference<KeyRedaction>.object(redaction) {
                submit(RecordFields(base), of: record, through: changed)
            } else {
                submit(base, length: record.bytes.count, of: record)
            }
        }
    }

    /// Applies the keys and guards that have been set since a record was buffered, and submits it.
    private func submit(_ fields: RecordFields, of record: Kept, through redaction: KeyRedaction) {
        let scratch = Scratch.current
        guard let frame = scratch.begin() else {
            return record.source.pointee.queue.countEncodingFailed(record.level)
        }
        defer { scratch.end(frame) }
        let message = frame.start + RecordLayout.headerSize
        scratch.append(fields.message)
        let own = scratch.cursor
        scratch.append(UnsafeRawBufferPointer(rebasing: fields.attributes.prefix(fields.attributesLength)))
        let event = fields.eventLength == 0 ? nil : String(decoding: fields.event, as: UTF8.self)
        let cleaned = redaction.redact(message: message, attributes: own, event: event, in: scratch)
        guard let attributes = cleaned else { return }
        // The ambient attributes that it contains follow, and then the rest, from the logger's name on.
        scratch.append(redaction.cleanedContext([UInt8](fields.attributes.suffix(fields.contextLength))))
        let attributesEnd = scratch.cursor
        let restStart = fields.messageLength + fields.attributesLength + fields.contextLength
        let rest = UnsafeRawBufferPointer(
            start: fields.base + RecordLayout.headerSize + restStart, count: fields.payloadLength - restStart)
        guard scratch.ensure(rest.count + RecordLayout.unit) else {
            return record.source.pointee.queue.countEncodingFailed(record.level)
        }
        scratch.append(rest)
        var base = scratch.pointer(at: frame.start)
        base.copyMemory(from: fields.base, byteCount: RecordLayout.headerSize)
        base.setRecordLengths(message: attributes - message, attributes: attributesEnd - attributes)
        base.storeBytes(of: 0, toByteOffset: RecordLayout.contextLength, as: UInt16.self)
        var length = scratch.cursor - frame.start
        if length > record.source.pointee.largestRecord {
            length = RecordTruncation.cut(frame.start, to: record.source.pointee.largestRecord, in: scratch)
            base = scratch.pointer(at: frame.start)
        }
        submit(base, length: base.padRecord(length: length), of: record)
    }

    private func submit(_ base: UnsafeMutableRawPointer, length: Int, of record: Kept) {
        record.source.submit(
            base, length: length, level: record.level, timestamp: record.timestamp, context: ContextWord.isResolved)
    }
}
