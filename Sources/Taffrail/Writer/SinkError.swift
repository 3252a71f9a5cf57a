/// Why a sink could not take a batch, or the whole of it.
public struct SinkError: Error, Sendable, CustomStringConvertible {
    /// What the writer does next.
    public enum Kind: Sendable, Hashable {
        /// The destination may come back: the records from ``SinkError/taken`` on are offered again, after a
        /// delay that doubles from 10 ms to 1 s.
        case temporary
        /// The record number ``SinkError/taken`` can never be written: it is skipped and counted as lost,
        /// and those behind it are offered again.
        case permanent
    }

    /// Whether a later try can succeed.
    public var kind: Kind
    /// How many records of the batch, from its start, the sink has written for good. It must be true: too few
    /// doubles records, too many loses them.
    public var taken: Int
    /// One line for a person: what failed and, where there is one, the path or address.
    public var reason: String

    /// Makes an error.
    public init(_ kind: Kind, taken: Int = 0, reason: String) {
        self.kind = kind
        self.taken = taken
        self.reason = reason
    }

    /// How many of a batch's records were taken, whatever a sink says.
    func taken(of count: Int) -> Int { min(max(0, taken), count) }

    /// A destination that may come back.
    public static func temporary(_ reason: String, taken: Int = 0) -> SinkError {
        SinkError(.temporary, taken: taken, reason: reason)
    }

    /// A record that can never be written.
    public static func permanent(_ reason: String, taken: Int = 0) -> SinkError {
        SinkError(.permanent, taken: taken, reason: reason)
    }

    /// The reason, with the kind in front.
    public var description: String { "\(kind): \(reason)" }
}
