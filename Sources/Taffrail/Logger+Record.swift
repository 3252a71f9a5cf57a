internal import CTaffrail

extension Logger {
    /// Logs a record that has been made already: what an ``Input`` receives, what a bridge from another logger hands on.
    ///
    /// Its timestamp, source and event name are kept, its attributes come first; the logger's, the task's and the
    /// ambient ones follow, as for every call. Where it has no logger name or trace, the logger's and the task's count.
    /// Run and sequence number are the queue's.
    public func log(_ record: LogRecord) {
        if isEnabled(record.level) { resolved.log(record, bound: bound, ignoresLevel: false) }
    }

    /// Logs a record whatever its level is, for a bridge from a logger that has levels of its own.
    package func logAnyLevel(_ record: LogRecord) { resolved.log(record, bound: bound, ignoresLevel: true) }
}

extension UnsafeMutablePointer<LogSource> {
    /// Encodes a record that exists and puts it into the queue.
    fileprivate func log(_ record: LogRecord, bound: LoggerContext?, ignoresLevel: Bool) {
        guard isOpen(for: ignoresLevel ? .critical : record.level) else { return }
        var isKept = false
        if taffrail_task_context_is_used() != 0 {
            switch Backtrace.judge(record.level, floor: ignoresLevel ? 0 : taffrail_gate_floor(pointee.gate)) {
            case .log: break
            case .keep: isKept = true
            case .skip: return
            }
        }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return pointee.queue.countUnbuilt(record.level) }
        defer { scratch.end(frame) }
        let task = TaskContext.current
        var record = record
        if record.logger.isEmpty { record.logger = pointee.name }
        if record.trace == nil { record.trace = task?.trace }
        let redaction = pointee.redaction.table
        var isDropped = false
        var length = RecordBuffer.encode(record, thread: scratch.threadID, at: frame.start, in: scratch) { start in
            if let bound { scratch.append(bound.bytes) }
            if let task { scratch.append(task.attributes) }
            if scratch.ensure(AmbientContext.limit) {
                scratch.cursor += pointee.ambient.copy(to: scratch.pointer(at: scratch.cursor))
            }
            guard let redaction else { return }
            let message = frame.start + RecordCodec.headerSize
            if let attributes = redaction.clean(
                message: message, attributes: start, event: record.eventName, in: scratch)
            {
                start = attributes
            } else {
                isDropped = true
            }
        }
        if isDropped { return }
        if length > pointee.largestRecord {
            scratch.cursor = frame.start + length
            length = RecordCut.cut(frame.start, to: pointee.largestRecord, in: scratch)
            length = scratch.pointer(at: frame.start).padRecord(length: length)
        }
        if isKept, let backtrace = task?.backtrace {
            return backtrace.keep(
                scratch.pointer(at: frame.start), length: length, level: record.level,
                timestamp: record.timestamp.nanoseconds, source: self)
        }
        submit(
            scratch.pointer(at: frame.start), length: length, level: record.level,
            timestamp: record.timestamp.nanoseconds)
    }
}
