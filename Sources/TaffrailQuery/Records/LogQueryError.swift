/// The reason why a query was not answered.
public struct LogQueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Sendable, Hashable {
        /// The request is invalid, such as a cursor that no page contained.
        case invalid
        /// There is no store yet.
        case missing
        /// The store cannot be read now.
        case unavailable
        /// The store can never be read: it is damaged, has a later version, or belongs to another program.
        case unreadable
        /// The answer takes too long, or is no longer needed.
        case tooLong
    }

    /// The kind of error.
    public var kind: Kind
    /// One line, which may name files.
    public var reason: String
    /// The invalid part of the request, such as `cursor`.
    public var parameter: String?

    /// Creates an error.
    public init(_ kind: Kind, _ reason: String, parameter: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.parameter = parameter
    }

    /// The reason.
    public var description: String { reason }
}
