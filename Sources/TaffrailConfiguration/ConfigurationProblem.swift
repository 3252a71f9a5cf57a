#if Configuration
/// A problem with a configuration, and its location.
public struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
    /// The file, as given, or the environment variable, such as `TAFFRAIL_LEVEL`.
    public var file: String
    /// The line, from 1; 0 if the problem has no location in the file.
    public var line: Int
    /// The column in characters, from 1; 0 if the problem has no location in the file.
    public var column: Int
    /// The problem, with the key, the valid choices and, if possible, a suggestion.
    public var message: String

    /// Creates a problem.
    public init(file: String, line: Int = 0, column: Int = 0, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// `FILE:LINE:COLUMN: message`, a form that editors and CI services recognize.
    public var description: String { line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)" }
}
#endif
