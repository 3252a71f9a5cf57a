public import Taffrail

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
    /// The number of records whose values were not counted, because there are too many different values or they are too
    /// long.
    public var uncounted = 0

    /// Creates values.
    public init(values: [Count], distinct: Int, since: Timestamp? = nil) {
        self.values = values
        self.distinct = distinct
        self.since = since
    }
}
