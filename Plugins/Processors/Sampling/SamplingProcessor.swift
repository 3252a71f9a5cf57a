public import Taffrail

/// Keeps a fraction of the records below a level.
///
/// The decision depends on the record alone: a record that is processed again after a crash is decided as before, and
/// all records of a trace are kept or dropped together, by every program with the same rate.
public struct SamplingProcessor: Processor {
    private let options: SamplingOptions
    /// Records with a hash below this are kept; `nil`: all.
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
