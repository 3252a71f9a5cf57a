/// Why a question was not answered.
public struct LogQueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Sendable, Hashable {
        /// The request makes no sense, such as a cursor that no page had.
        case invalid
        /// There is no store yet.
        case missing
        /// The store cannot be read now.
        case unavailable
    }

    /// The kind of error.
    public var kind: Kind
    /// One line.
    public var reason: String

    /// Creates an error.
    public init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
