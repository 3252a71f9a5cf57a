public import Taffrail

/// A request for the values of a field.
public struct ValuesRequest: Sendable, Hashable {
    /// `level`, `logger`, `device`, `event`, or the name of an attribute, which may have an `@` in front.
    public var field: String
    /// Which records are counted.
    public var selection: LogSelection
    /// The most values, at least 1.
    public var limit = 50
    /// About how many records are looked at where no counts are kept.
    public var effort = 3_000_000

    /// Creates a request.
    public init(_ field: String, _ selection: LogSelection = LogSelection()) {
        self.field = field
        self.selection = selection
    }
}

/// The values of a field.
public struct FieldValues: Sendable, Hashable {
    /// A value and how many records have it.
    public struct Count: Sendable, Hashable {
        /// The value.
        public var value: LogValue
        /// How many records have it.
        public var count: Int

        /// Creates a count.
        public init(value: LogValue, count: Int) {
            self.value = value
            self.count = count
        }
    }

    /// The values, the most frequent first.
    public var values: [Count]
    /// How many different values there are; at least so many where ``since`` is not `nil` or
    /// ``uncounted`` is not 0.
    public var distinct: Int
    /// Where counting stopped because of ``ValuesRequest/effort`` or the time.
    public var since: Timestamp?
    /// How many records have values that were not counted, because there are too many different or too long ones.
    public var uncounted = 0

    /// Creates values.
    public init(values: [Count], distinct: Int, since: Timestamp? = nil) {
        self.values = values
        self.distinct = distinct
        self.since = since
    }
}
