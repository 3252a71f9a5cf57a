/// One condition of a selection.
public struct LogCondition: Sendable, Hashable {
    /// The test.
    public var test: LogTest
    /// Whether the condition holds if the test fails.
    public var isNegated: Bool

    /// Creates a condition.
    public init(_ test: LogTest, isNegated: Bool = false) {
        self.test = test
        self.isNegated = isNegated
    }
}
