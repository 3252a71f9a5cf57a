#if Configuration
/// The reasons why a configuration was rejected: all problems, ordered by line.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// At least one problem.
    public var problems: [ConfigurationProblem]

    /// Creates an error from problems in any order.
    public init(_ problems: [ConfigurationProblem]) {
        self.problems = problems.sorted { ($0.line, $0.column, $0.message) < ($1.line, $1.column, $1.message) }
    }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
#endif
