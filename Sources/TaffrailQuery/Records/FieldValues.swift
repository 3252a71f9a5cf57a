public import Taffrail

/// A request for the values of a field.
public struct ValuesRequest: Sendable, Hashable {
    /// `level`, `logger`, `device`, `event`, or the name of an attribute, which may have an `@` in front.
    public var field: String
    /// The records to count.
    public var selection: LogSelection
    /// The most values, at least 1.
    public var limit = 50
    /// The approximate limit of records to examine where no counts are kept.
    public var effort = 3_000_000

    /// Creates a request.
    public init(_ field: String, _ selection: LogSelection = LogSelection()) {
        self.field = field
        self.selection = selection
    }
}

/// The values of a field.
public struct FieldValues: Sendable, Hashable {
    /// A value and the number of records that have it.
    public struct Count: Sendable, Hashable {
        /// The value.
        public var value: LogValue
        /// The number of records that have it.
        public var count: Int

        /// Creates a count.
        public init(value: LogValue, count: Int) {
            self.value = value
            self.count = count
        }
    }

    /// The values, the most frequent first.
    public var values: [Count]
    /// The number of different values; a lower bound if ``since`` is not `nil` or
    /// ``uncounted`` is not 0.
    public var distinct: Int
    /// The time at which counting stopped because of ``ValuesRequest/effort`` or the time limit.
    public var since: Timestamp?
    /// The number of records whose values were not counted, because there are too many different or too long ones.
    public var uncounted = 0

    /// Creates values.
    public init(values: [Count], distinct: Int, since: Timestamp? = nil) {
        self.values = values
        self.distinct = distinct
        self.since = since
    }
}
