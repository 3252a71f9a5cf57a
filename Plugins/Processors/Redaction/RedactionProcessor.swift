public import Taffrail

/// Removes secrets: values of named attributes at the log call, matches of regular expressions on the writer thread.
public struct RedactionProcessor: Processor {
    private let keys: Set<String>
    private let patterns: [RedactionPattern]
    private let replacement: String

    /// Creates a processor.
    public init(_ options: RedactionOptions) {
        keys = Set(options.keys.map { $0.lowercased() })
        patterns = options.patterns.compactMap { RedactionPattern($0) }
        replacement = options.replacement
    }

    /// The names of the attributes whose values are replaced at the log call.
    public var redactedKeys: Set<String> { keys }

    /// Returns whether the record may contain a secret.
    public mutating func inspect(_ record: borrowing RecordView) -> Inspection {
        if record.hasAttributes || record.eventName != nil { return .change }
        for pattern in patterns where pattern.mayMatch(record) { return .change }
        return .keep
    }

    /// Removes secrets.
    public mutating func process(_ record: inout LogRecord) -> Verdict {
        record.message = redacted(record.message)
        record.eventName = record.eventName.map(redacted)
        record.attributes = redacted(record.attributes)
        return .keep
    }

    private func redacted(_ text: String) -> String {
        patterns.reduce(text) { $1.replacing(in: $0, with: replacement) }
    }

    /// Keys are checked again, because records of an earlier run may have been logged with another configuration.
    private func redacted(_ entries: [LogValueEntry]) -> [LogValueEntry] {
        entries.map { entry in
            let isSecret = keys.contains(entry.key.lowercased())
            return LogValueEntry(redacted(entry.key), isSecret ? .string(replacement) : redacted(entry.value))
        }
    }

    private func redacted(_ value: LogValue) -> LogValue {
        switch value {
        case .string(let text): .string(redacted(text))
        case .array(let elements): .array(elements.map { redacted($0) })
        case .map(let entries): .map(redacted(entries))
        default: value
        }
    }
}
