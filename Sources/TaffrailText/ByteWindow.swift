internal import Taffrail

/// The stretch of a byte stream that is in memory: everything a reader still needs, and no more.
///
/// `base[0 ..< count]` are the stream's bytes from `offset` on; `position` is the next one to read.
package struct ByteWindow: ~Copyable {
    /// The memory; good up to ``count``.
    package private(set) var base: UnsafeMutablePointer<UInt8>
    /// How many bytes there are.
    package private(set) var count: Int
    /// The index of the next byte to read, at most ``count``.
    package var position = 0
    /// The place in the stream of `base[0]`.
    private(set) var offset = 0
    /// The line of the next byte to read, from 1; whoever reads a newline counts it.
    package var line = 1
    private var capacity: Int
    private let source: (any ByteSource)?
    /// The most bytes that may be kept at once.
    private let maximum: Int

    /// All of `bytes`, and no more to come.
    package init(_ bytes: some Collection<UInt8>) {
        count = bytes.count
        capacity = max(1, count)
        maximum = capacity
        source = nil
        base = .allocate(capacity: capacity)
        _ = UnsafeMutableBufferPointer(start: base, count: count).initialize(from: bytes)
    }

    /// What `source` delivers; at most `maximum` bytes are kept at once.
    package init(_ source: any ByteSource, maximum: Int) {
        count = 0
        capacity = min(65_536, maximum)
        self.maximum = maximum
        self.source = source
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// The place in the stream of the next byte to read.
    package var place: Int { offset + position }

    /// Whether what is left in memory is nothing but spaces.
    package var isBlank: Bool { (position..<count).allSatisfy { base[$0] <= 32 } }

    /// Reads more behind what there is. What lies before `start` may be dropped: then all indices become smaller,
    /// `start` and ``position`` among them.
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

    /// Reads on when everything has been used up.
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

    /// The text ends too early.
    package func truncated(_ reason: String) -> ReadError {
        ReadError(place: offset + count, line: line, reason: reason, isTruncated: true)
    }
}

/// What is wrong with a text, and where.
public struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place of the first byte that could not be read, from 0.
    public var place: Int
    /// Its line, from 1.
    public var line: Int
    /// One line for a person.
    public var reason: String
    /// Whether the text is right as far as it goes, but ends too early.
    public var isTruncated = false

    package init(place: Int, line: Int, reason: String, isTruncated: Bool = false) {
        self.place = place
        self.line = line
        self.reason = reason
        self.isTruncated = isTruncated
    }

    /// Such as `line 12, byte 845: expected a comma`.
    public var description: String { "line \(line), byte \(place): \(reason)" }
}
