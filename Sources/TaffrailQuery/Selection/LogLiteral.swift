/// A value in a selection. In quotes it is a string; otherwise it may also be a number or a Boolean.
public struct LogLiteral: Sendable, Hashable {
    /// The text, without quotes.
    public var text: String
    /// Whether it was in quotes.
    public var isQuoted: Bool

    /// Creates a value.
    public init(_ text: String, isQuoted: Bool = false) {
        self.text = text
        self.isQuoted = isQuoted
    }
}
