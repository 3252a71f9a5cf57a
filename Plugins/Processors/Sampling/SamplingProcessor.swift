public import Taffrail

/// Keeps a fraction of the records below a level.
///
/// The decision depends only on the record: it is the same when a record is processed again after a crash, and all
/// programs with the same rate keep or drop all records of a trace together.
public struct SamplingProcessor: Processor {
    private let options: SamplingOptions
    /// Records with a hash below this value are kept; `nil`: all.
    private let threshold: UInt64?

    /// Creates a processor.
    public init(_ options: SamplingOptions) {
        self.options = options
        threshold = options.rate < 1 ? UInt64(max(0, options.rate) * 0x1p64) : nil
    }

    /// Keeps or drops a record.
    public mutating func inspect(_ record: borrowing RecordView) -> Inspection {
        guard let threshold, record.level < options.below else { return .keep }
        if let logger = options.logger, !record.isLogged(below: logger) { return .keep }
        let key = record.trace.map { $0.traceID.high ^ $0.traceID.low } ?? record.run.value &+ record.sequence
        return StableHash.mixed(key) < threshold ? .keep : .drop
    }

    /// Keeps every record; ``inspect(_:)`` decides.
    public mutating func process(_ record: inout LogRecord) -> Verdict { .keep }
}
