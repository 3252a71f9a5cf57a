internal import CTaffrail

extension Logger {
    /// Logs an existing record, such as one that an ``Input`` received or that another logging API passes on.
    ///
    /// Keeps its timestamp, source and event name. Its attributes come first, followed by those of the logger, the task
    /// and the context, as for every call. The logger's name and the task's trace are used when it has none. The queue
    /// assigns run and sequence number.
    ///
    /// - Parameters:
    ///   - record: The received or forwarded record.
    ///   - ambient: Whether the record is logged where and when it happens. With `false`, for a replayed, received or
    ///     imported record, it gets neither ambient attributes nor the trace of ``Pipeline/traceSource``. Default
    ///     `true`.
    public func log(_ record: LogRecord, ambient: Bool = true) {
        if isEnabled(record.level) { resolved.log(record, bound: bound, ignoresLevel: false, ambient: ambient) }
    }

    /// Logs a record regardless of its level and returns the outcome, for a bridge from a logger with its own levels.
    ///
    /// - Parameter waits: Whether the call waits for room in the queue without a limit, overriding the queue's options.
    @discardableResult
    package func logAnyLevel(_ record: LogRecord, waits: Bool = false) -> Admission {
        resolved.log(record, bound: bound, ignoresLevel: true, waiting: waits ? .always : .asConfigured)
    }

    /// Logs a record from elsewhere if the queue has room for it now, regardless of levels.
    ///
    /// For an input whose source keeps refused records and sends them again: unlike a log call, it never waits for
    /// room, and a refused record is not counted as dropped. Otherwise as ``log(_:ambient:)`` without ambient
    /// attributes, and without those, the trace and the backtrace of the task: the record keeps its timestamp, source,
    /// event name and logger's name, and no logger is created for that name. If no queue is open, the call opens one.
    ///
    /// - Returns: Whether the queue has the record, or the configuration keeps it out of the queue. `false`: nothing
    ///   was logged; offer it again later.
    public func offer(_ record: LogRecord) -> Bool { admit(offered: record) != .dropped }

    /// Offers a record as ``offer(_:)`` does and returns the outcome.
    package func admit(offered record: LogRecord) -> Admission {
        resolved.log(record, bound: bound, ignoresLevel: true, ambient: false, waiting: .never)
    }

    /// Logs a message that is its event's name, with or without ambient attributes; see ``log(_:ambient:)``.
    package func log(
        level: Level, event: StaticString, ambient: Bool, _ message: @autoclosure () -> LogMessage,
        _ attributes: @autoclosure () -> LogAttributes
    ) {
        guard isEnabled(level) else { return }
        resolved.enqueueMore(
            level, message, attributes, UnsafeMutablePointer.More(bound: bound, event: event, ambient: ambient),
            at: CallSite("", "", 0))
    }
}

extension UnsafeMutablePointer<LoggerState> {
    /// Encodes an existing record into the queue.
    @discardableResult
    func log(
        _ record: LogRecord, bound: StoredBytes?, ignoresLevel: Bool, ambient: Bool = true,
        waiting: WriteQueue.Waiting = .asConfigured
    ) -> Admission {
        let capture = RecordCapture.current(for: self)
        if let capture {
            guard ignoresLevel || record.level >= capture.level else { return .dropped }
        } else {
            guard isOpen(for: ignoresLevel ? .critical : record.level, at: record.timestamp) else { return .dropped }
        }
        var isKept = false
        // An offered record does not belong to the task that offers it.
        let isOffered = waiting == .never
        if TaskContext.isUsed, capture == nil, !isOffered {
            switch Backtrace.evaluate(record.level, floor: ignoresLevel ? 0 : taffrail_gate_floor(pointee.gate)) {
            case .log: break
            case .keep: isKept = true
            case .ignore: return .dropped
            }
        }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else {
            if !isOffered { pointee.queue.countEncodingFailed(record.level) }
            return .dropped
        }
        defer { scratch.end(frame) }
        let task = isOffered ? nil : TaskContext.current
        var record = record
        if record.logger.isEmpty { record.logger = pointee.name }
        if record.trace == nil { record.trace = task?.trace }
        if record.trace == nil, ambient, TaskContext.mayHaveTraceSource {
            record.trace = pointee.traceSource.trace(scratch)
        }
        let identity = pointee.redaction.identity
        scratch.append(record.message)
        var start = scratch.cursor
        AttributeCodec.append(record.attributes, to: scratch)
        if let bound { scratch.append(bound.bytes) }
        if let task { scratch.append(task.attributes) }
        if ambient, scratch.ensure(AmbientContext.limit) {
            let end = scratch.pointer(at: scratch.cursor)
            let own = UnsafeRawBufferPointer(start: scratch.pointer(at: start), count: scratch.cursor - start)
            scratch.cursor += pointee.ambient.copy(pointee.ambient.part(for: own), to: end)
        }
        if let redaction = PermanentReference<KeyRedaction>.object(identity) {
            let message = frame.start + RecordLayout.headerSize
            let event = record.eventName
            guard let attributes = redaction.redact(message: message, attributes: start, event: event, in: scratch)
            else { return .withheld }
            start = attributes
        }
        var length = RecordEncoder.encodeRest(
            of: record, messageEnd: start, thread: scratch.threadID, at: frame.start, in: scratch)
        let isTruncated = length > pointee.largestRecord
        if isTruncated {
            scratch.cursor = frame.start + length
            length = RecordTruncation.cut(frame.start, to: pointee.largestRecord, in: scratch)
            length = scratch.pointer(at: frame.start).padRecord(length: length)
        }
        if let capture {
            capture.add(scratch.pointer(at: frame.start), at: record.timestamp)
            return isTruncated ? .truncated : .queued
        }
        if isKept, let backtrace = task?.backtrace {
            backtrace.keep(
                scratch.pointer(at: frame.start), length: length, level: record.level,
                timestamp: record.timestamp.nanoseconds, source: self, by: identity)
            return .dropped
        }
        guard
            submit(
                scratch.pointer(at: frame.start), length: length, level: record.level,
                timestamp: record.timestamp.nanoseconds, context: ContextWord.isResolved,
                waiting: waiting)
        else { return .dropped }
        return isTruncated ? .truncated : .queued
    }

    /// Logs `Logger initialized` as the first record of a ring, before any other record, if the level allows it.
    func announce(at time: Timestamp, file: String = #fileID, function: String = #function, line: UInt32 = #line) {
        guard Level.info.rawValue >= taffrail_gate_level(pointee.gate) else { return }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return }
        defer { scratch.end(frame) }
        let record = LogRecord(
            timestamp: time, level: .info, message: "Logger initialized",
            source: LogRecord.SourceLocation(file: file, function: function, line: line))
        let length = RecordEncoder.encode(record, thread: scratch.threadID, at: frame.start, in: scratch)
        submit(
            scratch.pointer(at: frame.start), length: length, level: .info, timestamp: time.nanoseconds,
            context: ContextWord.isResolved)
    }
}
