/// The reason why a query was not answered.
public struct LogQueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Sendable, Hashable {
        /// The request is not valid, such as with a cursor that no page had.
        case invalid
        /// There is no store yet.
        case missing
        /// The store cannot be read now.
        case unavailable
        /// The store can never be read: it is damaged, of a later version, or the file of another program.
        case unreadable
        /// The answer takes too long, or is no longer needed.
        case tooLong
    }

    /// The kind of error.
    public var kind: Kind
    /// One line, which may name files.
    public var reason: String
    /// The part of the request that is not valid, such as `cursor`.
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
