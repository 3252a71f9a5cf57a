/// The reason why a sink could not write all of a batch.
public struct SinkError: Error, Sendable, CustomStringConvertible {
    /// How the writer continues.
    public enum Kind: Sendable, Hashable {
        /// The destination may recover: the records starting at ``SinkError/taken`` are offered again, after a delay
        /// that doubles from 10 ms to 1 s.
        case temporary
        /// The record with index ``SinkError/taken`` can never be written: it is skipped and counted as lost, and the
        /// following ones are offered again.
        case permanent
    }

    /// Whether a retry can succeed.
    public var kind: Kind
    /// The number of records, from the start of the batch, that the sink has written permanently. It must be exact: a
    /// lower count duplicates records, a higher one loses them.
    public var taken: Int
    /// One line for users: what failed and, if there is one, the path or address.
    public var reason: String

    /// Creates an error.
    public init(_ kind: Kind, taken: Int = 0, reason: String) {
        self.kind = kind
        self.taken = taken
        self.reason = reason
    }

    /// Returns the number of a batch's records that were taken, clamped to the size of the batch.
    func taken(of count: Int) -> Int { min(max(0, taken), count) }

    /// Returns an error of a destination that may recover.
    public static func temporary(_ reason: String, taken: Int = 0) -> SinkError {
        SinkError(.temporary, taken: taken, reason: reason)
    }

    /// Returns an error of a record that can never be written.
    public static func permanent(_ reason: String, taken: Int = 0) -> SinkError {
        SinkError(.permanent, taken: taken, reason: reason)
    }

    /// The kind and the reason.
    public var description: String { "\(kind): \(reason)" }
}
