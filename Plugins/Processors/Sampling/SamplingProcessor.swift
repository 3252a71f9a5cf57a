public import Taffrail

/// Keeps a share of the records below a level.
///
/// The choice hangs on the record alone: a record that comes by again after a crash is judged as before, and all
/// records of one trace are kept or dropped together, by every program that samples at the same rate.
public struct SamplingProcessor: Processor {
    private let options: SamplingOptions
    /// What is hashed below this is kept; `nil`: everything is.
    private let threshold: UInt64?

    /// Makes a processor.
    public init(_ options: SamplingOptions) {
        self.options = options
        threshold = options.rate < 1 ? UInt64(max(0, options.rate) * 0x1p64) : nil
    }

    /// Keeps or drops.
    public mutating func inspect(_ record: borrowing RecordView) -> Inspection {
        guard let threshold, record.level < options.below else { return .keep }
        if let logger = options.logger, !record.isLogged(below: logger) { return .keep }
        let key = record.trace.map { $0.traceID.high ^ $0.traceID.low } ?? record.run.value &+ record.sequence
        return Self.mixed(key) < threshold ? .keep : .drop
    }

    /// Keeps: ``inspect(_:)`` has the say.
    public mutating func process(_ record: inout LogRecord) -> Verdict { .keep }

    /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): neighbours become far apart.
    private static func mixed(_ key: UInt64) -> UInt64 {
        var bits = key &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
