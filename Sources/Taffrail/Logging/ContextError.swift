/// Ambient attributes that are too long.
public struct ContextError: Error, Sendable, CustomStringConvertible {
    /// The encoded length of all providers together, in bytes.
    public let length: Int

    /// A one-line description.
    public var description: String {
        "ambient attributes take \(length) bytes; the limit is \(AmbientContext.limit)"
    }
}
