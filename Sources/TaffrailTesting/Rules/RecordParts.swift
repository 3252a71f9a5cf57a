internal import Taffrail

/// The parts of a record that a destination stores.
public struct RecordParts: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The message, which every destination stores.
    public static let message = RecordParts(rawValue: 1 << 0)
    /// The severity.
    public static let level = RecordParts(rawValue: 1 << 1)
    /// The time of the call.
    public static let timestamp = RecordParts(rawValue: 1 << 2)
    /// The attributes, including their types.
    public static let attributes = RecordParts(rawValue: 1 << 3)
    /// The logger's name.
    public static let logger = RecordParts(rawValue: 1 << 4)
    /// The event name.
    public static let eventName = RecordParts(rawValue: 1 << 5)
    /// The source location.
    public static let source = RecordParts(rawValue: 1 << 6)
    /// The trace and span.
    public static let trace = RecordParts(rawValue: 1 << 7)
    /// The run and the sequence number.
    public static let identity = RecordParts(rawValue: 1 << 8)

    /// Everything.
    public static let all = RecordParts(rawValue: 1 << 9 - 1)

    /// Returns a record with only these parts of another one; the rest is as in an empty record.
    func of(_ record: LogRecord) -> LogRecord {
        var part = LogRecord(
            timestamp: Timestamp(nanoseconds: 0), level: .info, message: contains(.message) ? record.message : "")
        if contains(.level) { part.level = record.level }
        if contains(.timestamp) { part.timestamp = record.timestamp }
        if contains(.attributes) { part.attributes = record.attributes }
        if contains(.logger) { part.logger = record.logger }
        if contains(.eventName) { part.eventName = record.eventName }
        if contains(.source) { part.source = record.source }
        if contains(.trace) { part.trace = record.trace }
        if contains(.identity) {
            part.run = record.run
            part.sequence = record.sequence
        }
        return part
    }

    /// Returns a description of the first part in which two records differ, with both values.
    func difference(_ found: LogRecord, _ wanted: LogRecord) -> String? {
        func short(_ value: some Any) -> String {
            let text = "\(value)"
            return text.count <= 160 ? text.debugDescription : "\(text.prefix(160).debugDescription)… (\(text.count))"
        }
        let (found, wanted) = (of(found), of(wanted))
        if found == wanted { return nil }
        if found.message != wanted.message { return "message \(short(found.message)), not \(short(wanted.message))" }
        if found.level != wanted.level { return "level \(found.level), not \(wanted.level)" }
        if found.attributes != wanted.attributes {
            return "attributes \(short(found.attributes)), not \(short(wanted.attributes))"
        }
        return "\(short(found)), not \(short(wanted))"
    }
}
