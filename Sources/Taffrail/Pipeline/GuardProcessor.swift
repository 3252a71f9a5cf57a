/// Applies a pipeline's guards to records that were logged without them: by a dead run, or before the guards changed.
struct GuardProcessor: Processor {
    private let list: GuardList

    /// Creates a processor from guards.
    ///
    /// - Returns: `nil` if there are none.
    init?(_ guards: [any AttributeGuard]) {
        guard !guards.isEmpty else { return nil }
        list = GuardList(guards)
    }

    /// Returns whether a watched name is among the record's attributes.
    mutating func inspect(_ record: borrowing RecordView) -> Inspection {
        list.watches(record.fields.attributes) || list.watches(record.context) ? .change : .keep
    }

    /// Changes or drops the record.
    mutating func process(_ record: inout LogRecord) -> Verdict {
        var subject = GuardedAttributes(eventName: record.eventName, attributes: record.attributes)
        guard list.review(&subject) == .keep else { return .drop }
        record.attributes = subject.attributes
        if let message = subject.message { record.message = message }
        return .keep
    }
}
