extension Timestamp: CustomStringConvertible {
    /// For example `2026-01-05T13:30:00.123456789Z`.
    public var description: String {
        var buffer = LineBuffer(capacity: 64)
        buffer.append(rfc3339: nanoseconds)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
