/// A request for the values of a field.
public struct ValuesRequest: Sendable, Hashable {
    /// `level`, `logger`, `device`, `event`, or the name of an attribute, optionally preceded by `@`.
    public var field: String
    /// The records to count.
    public var selection: LogSelection
    /// The maximum number of values, at least 1.
    public var limit = 50
    /// The approximate maximum number of records to examine if no counts are kept.
    public var effort = 3_000_000

    /// Creates a request.
    public init(_ field: String, _ selection: LogSelection = LogSelection()) {
        self.field = field
        self.selection = selection
    }
}
