public import Taffrail

/// Drops records by level, logger, event name or message, without copying any.
public struct FilterProcessor: Processor {
    private let options: FilterOptions

    /// Creates a processor.
    public init(_ options: FilterOptions) { self.options = options }

    /// Keeps or drops a record.
    public mutating func inspect(_ record: borrowing RecordView) -> Inspection {
        if record.level < options.level { return .drop }
        if !options.loggers.isEmpty, !Self.isLogged(record, belowAnyOf: options.loggers) { return .drop }
        if Self.isLogged(record, belowAnyOf: options.exceptLoggers) { return .drop }
        if !options.events.isEmpty, !record.hasEvent(among: options.events) { return .drop }
        if record.hasEvent(among: options.exceptEvents) { return .drop }
        if !options.containing.isEmpty, !Self.message(of: record, hasAnyOf: options.containing) { return .drop }
        if Self.message(of: record, hasAnyOf: options.exceptContaining) { return .drop }
        return .keep
    }

    /// Keeps every record; ``inspect(_:)`` decides.
    public mutating func process(_ record: inout LogRecord) -> Verdict { .keep }

    private static func isLogged(_ record: borrowing RecordView, belowAnyOf names: [String]) -> Bool {
        for name in names where record.isLogged(below: name) { return true }
        return false
    }

    private static func message(of record: borrowing RecordView, hasAnyOf strings: [String]) -> Bool {
        for string in strings where record.messageContains(string) { return true }
        return false
    }
}
