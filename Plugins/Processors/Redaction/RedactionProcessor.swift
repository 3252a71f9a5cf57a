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
        record.message = cleaned(record.message)
        record.eventName = record.eventName.map(cleaned)
        record.attributes = cleaned(record.attributes)
        return .keep
    }

    private func cleaned(_ text: String) -> String {
        patterns.reduce(text) { $1.replacing(in: $0, with: replacement) }
    }

    /// Keys are checked again, because records of an earlier run may have been logged with another configuration.
    private func cleaned(_ entries: [LogValueEntry]) -> [LogValueEntry] {
        entries.map { entry in
            let isSecret = keys.contains(entry.key.lowercased())
            return LogValueEntry(cleaned(entry.key), isSecret ? .string(replacement) : cleaned(entry.value))
        }
    }

    private func cleaned(_ value: LogValue) -> LogValue {
        switch value {
        case .string(let text): .string(cleaned(text))
        case .array(let elements): .array(elements.map { cleaned($0) })
        case .map(let entries): .map(cleaned(entries))
        default: value
        }
    }
}
