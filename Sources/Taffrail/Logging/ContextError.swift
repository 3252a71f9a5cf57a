/// Ambient attributes that are too long.
public struct ContextError: Error, Sendable, CustomStringConvertible {
    /// The encoded length that all providers together would have, in bytes.
    public let length: Int

    /// What is wrong, in one line.
    public var description: String {
        "ambient attributes take \(length) bytes, at most \(AmbientContext.limit) are possible"
    }
}
