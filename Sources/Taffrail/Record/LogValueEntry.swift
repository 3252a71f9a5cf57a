/// One named value of a ``LogValue/map(_:)``.
public struct LogValueEntry: Sendable, Hashable {
    /// The name.
    public var key: String
    /// The value.
    public var value: LogValue

    /// Creates an entry.
    public init(_ key: String, _ value: LogValue) {
        self.key = key
        self.value = value
    }
}
