/// A syntax error and its location.
public struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first byte that could not be parsed, from 0.
    public var offset: Int
    /// Its line, from 1.
    public var line: Int
    /// A one-line description for users.
    public var reason: String
    /// Whether the input is valid so far, but ends prematurely.
    public var isTruncated = false

    package init(offset: Int, line: Int, reason: String, isTruncated: Bool = false) {
        self.offset = offset
        self.line = line
        self.reason = reason
        self.isTruncated = isTruncated
    }

    /// For example `line 12, byte 845: expected a comma`.
    public var description: String { "line \(line), byte \(offset): \(reason)" }
}
