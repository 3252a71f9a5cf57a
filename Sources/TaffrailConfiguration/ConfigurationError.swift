#if Configuration
/// One thing that is wrong with a configuration, and where.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// The file, as it was named; or the environment variable, such as `TAFFRAIL_LEVEL`.
    public var file: String
    /// The line, from 1; 0 where the problem has no place in the file.
    public var line: Int
    /// The column in characters, from 1; 0 where the problem has no place in the file.
    public var column: Int
    /// What is wrong, with the key, the known choices and a suggestion where there is one.
    public var message: String

    /// Makes a problem.
    public init(file: String, line: Int = 0, column: Int = 0, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// `FILE:LINE:COLUMN: message`, the form that editors and CI services find.
    public var description: String { line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)" }
}

/// Why a configuration was refused: all that is wrong with it, in the order of the lines.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// At least one problem.
    public var problems: [ConfigurationProblem]

    /// Makes an error from problems in any order.
    public init(_ problems: [ConfigurationProblem]) {
        self.problems = problems.sorted { ($0.line, $0.column, $0.message) < ($1.line, $1.column, $1.message) }
    }

    /// A line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
#endif
