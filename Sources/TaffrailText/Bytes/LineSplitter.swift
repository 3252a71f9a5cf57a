/// Splits a stream of bytes into lines of bounded length.
package struct LineSplitter: Sendable {
    @usableFromInline var line: [UInt8] = []
    @usableFromInline let limit: Int
    @usableFromInline var isTooLong = false
    /// The number of lines dropped because they exceeded the limit.
    package private(set) var dropped = 0

    /// Creates a splitter that drops lines of more than `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Adds a byte and returns the line that it ends, if any, without the line break. Empty lines are skipped.
    @inlinable
    package mutating func take(_ byte: UInt8) -> [UInt8]? {
        guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
            if line.count < limit { line.append(byte) } else { isTooLong = true }
            return nil
        }
        return finish()
    }

    /// The unterminated line.
    package var pending: [UInt8] { isTooLong ? [] : line }

    /// Terminates the line.
    package mutating func finish() -> [UInt8]? {
        defer {
            line.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        if isTooLong { dropped += 1 }
        return line.isEmpty || isTooLong ? nil : line
    }
}
