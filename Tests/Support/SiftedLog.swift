package import Taffrail

/// A log that receives few of the records of its pipeline: a processor drops debug records, and a filter passes only
/// errors.
package enum SiftedLog {
    private struct Dropper: Processor {
        mutating func inspect(_ record: borrowing RecordView) -> Inspection { record.level == .debug ? .drop : .keep }
        mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
    }

    package static func pipeline(_ options: FileOptions) throws -> Pipeline {
        Pipeline(
            processors: [Dropper()], sinks: [try FileSink(options).filtered(level: .error)],
            queue: QueueOptions(capacity: 256 << 10, blockLimit: .seconds(60), handleSignals: false), level: .trace)
    }

    /// Logs an error, which the log receives, or another record, which it does not.
    package static func log(_ n: Int, to logger: Logger) {
        logger.log(level: n % 10 == 1 ? .error : n % 2 == 0 ? .debug : .info, "line \(n)")
    }
}
