internal import Taffrail

/// The part of a byte stream that is in memory: what the reader still needs.
///
/// `base[0 ..< count]` are the stream's bytes from `offset` on; `position` is the next one to read.
package struct ByteWindow: ~Copyable {
    /// The memory; valid up to ``count``.
    package private(set) var base: UnsafeMutablePointer<UInt8>
    /// The number of bytes.
    package private(set) var count: Int
    /// The index of the next byte to read, at most ``count``.
    package var position = 0
    /// The offset of `base[0]` in the stream.
    private(set) var offset = 0
    /// The line of the next byte to read, from 1; the code that reads a newline increments it.
    package var line = 1
    private var capacity: Int
    private let source: (any ByteSource)?
    /// The most bytes to keep at once.
    private let maximum: Int

    /// All of `bytes`, and nothing more.
    package init(_ bytes: some Collection<UInt8>) {
        count = bytes.count
        capacity = max(1, count)
        maximum = capacity
        source = nil
        base = .allocate(capacity: capacity)
        _ = UnsafeMutableBufferPointer(start: base, count: count).initialize(from: bytes)
    }

    /// The bytes of `source`, with at most `maximum` kept at once.
    package init(_ source: any ByteSource, maximum: Int) {
        count = 0
        capacity = min(65_536, maximum)
        self.maximum = maximum
        self.source = source
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// The offset in the stream of the next byte to read.
    package var place: Int { offset + position }

    /// Whether only spaces are left in memory.
    package var isBlank: Bool { (position..<count).allSatisfy { base[$0] <= 32 } }

    /// Reads more bytes after the existing ones. Bytes before `start` may be dropped, which reduces all indices,
    /// including `start` and ``position``.
    ///
    /// - Returns: `false` at the end of the stream.
    package mutating func more(keeping start: inout Int) throws(ReadError) -> Bool {
        guard let source else { return false }
        if start > 0 {
            base.update(from: base + start, count: count - start)
            count -= start
            position -= start
            offset += start
            start = 0
        } else if count == capacity {
            try grow()
        }
        do {
            let room = UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
            let read = try source.read(into: room)
            count += read
            return read > 0
        } catch {
            throw self.error(error.description)
        }
    }

    /// Reads more bytes if all have been consumed.
    ///
    /// - Returns: `false` at the end of the stream.
    package mutating func refill() throws(ReadError) -> Bool {
        var start = position
        return try more(keeping: &start)
    }

    private mutating func grow() throws(ReadError) {
        guard capacity < maximum else { throw error("a single item is longer than \(maximum) bytes") }
        let larger = min(capacity * 2, maximum)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }

    /// An error at the next byte.
    package func error(_ reason: String) -> ReadError { ReadError(place: place, line: line, reason: reason) }

    /// The text ends prematurely.
    package func truncated(_ reason: String) -> ReadError {
        ReadError(place: offset + count, line: line, reason: reason, isTruncated: true)
    }
}

/// A syntax error and its location.
public struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first byte that could not be parsed, from 0.
    public var place: Int
    /// Its line, from 1.
    public var line: Int
    /// A one-line description for users.
    public var reason: String
    /// Whether the text is valid so far, but ends prematurely.
    public var isTruncated = false

    package init(place: Int, line: Int, reason: String, isTruncated: Bool = false) {
        self.place = place
        self.line = line
        self.reason = reason
        self.isTruncated = isTruncated
    }

    /// For example `line 12, byte 845: expected a comma`.
    public var description: String { "line \(line), byte \(place): \(reason)" }
}
