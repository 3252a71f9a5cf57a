internal import CTaffrail

/// The records that a task and its children log with the loggers of one pipeline: they are stored here only.
package final class RecordCapture: Sendable {
    /// The lowest level that is captured.
    let level: Level
    private let pipeline: ObjectIdentifier
    private let kept = Locked<[LogRecord]>([])

    /// Captures the records of a pipeline's loggers at or above a level.
    package init(of pipeline: AnyObject, from level: Level) {
        self.pipeline = ObjectIdentifier(pipeline)
        self.level = level
    }

    /// The captured records.
    package var records: [LogRecord] { kept.withLock { $0 } }

    /// Forgets all records.
    package func removeAll() { kept.withLock { $0 = [] } }

    /// Keeps the record at an address, which has everything that belongs to it.
    func add(_ record: UnsafeMutableRawPointer, at timestamp: Timestamp) {
        record.storeBytes(of: timestamp.nanoseconds, toByteOffset: RecordLayout.timestamp, as: Int64.self)
        record.storeBytes(of: 0, toByteOffset: RecordLayout.sequence, as: UInt64.self)
        var copy = LogRecord(RecordView(record, run: .none, end: 0, tables: nil))
        kept.withLock { records in
            copy.sequence = UInt64(records.count) + 1
            records.append(copy)
        }
    }

    /// Returns the capture of the calling task, if it belongs to this logger's pipeline.
    @inline(__always)
    static func current(for state: UnsafeMutablePointer<LoggerState>) -> RecordCapture? {
        guard taffrail_task_context_is_used() & CInt(TAFFRAIL_CAPTURE) != 0 else { return nil }
        return find(for: state)
    }

    @inline(never)
    private static func find(for state: UnsafeMutablePointer<LoggerState>) -> RecordCapture? {
        guard let capture = TaskContext.current?.capture, let pipeline = state.pointee.pipeline else { return nil }
        return capture.pipeline == ObjectIdentifier(pipeline) ? capture : nil
    }
}
