package import Taffrail

/// The part of a byte stream that is in memory: the bytes that the reader still needs.
///
/// `base[0 ..< count]` are the stream's bytes starting at `offset`; `position` is the next one to read.
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
    /// Whether the window owns the memory.
    private let isOwned: Bool
    /// The maximum number of bytes to keep at once.
    private let maximum: Int

    /// Creates a window of all of `bytes`.
    package init(_ bytes: some Collection<UInt8>) {
        count = bytes.count
        capacity = max(1, count)
        maximum = capacity
        source = nil
        isOwned = true
        base = .allocate(capacity: capacity)
        _ = UnsafeMutableBufferPointer(start: base, count: count).initialize(from: bytes)
    }

    /// Creates a window of `bytes` without copying them: they must exist as long as the window does.
    package init(borrowing bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        capacity = bytes.count
        maximum = bytes.count
        source = nil
        isOwned = bytes.baseAddress == nil
        base =
            bytes.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self)) }
            ?? .allocate(capacity: 1)
    }

    /// Creates a window that keeps at most `maximum` bytes of `source` at once.
    ///
    /// - Parameter chunk: The number of bytes to read at once initially.
    package init(_ source: any ByteSource, maximum: Int, chunk: Int = 65_536) {
        count = 0
        capacity = min(chunk, maximum)
        self.maximum = maximum
        self.source = source
        isOwned = true
        base = .allocate(capacity: capacity)
    }

    deinit { if isOwned { base.deallocate() } }

    /// The offset in the stream of the next byte to read.
    package var streamOffset: Int { offset + position }

    /// Whether only spaces are left in memory.
    package var isBlank: Bool { (position..<count).allSatisfy { base[$0] <= 32 } }

    /// Reads more bytes after the existing ones. Bytes before `start` may be dropped, which reduces all indices,
    /// including `start` and ``position``.
    ///
    /// - Returns: `false` at the end of the stream.
    package mutating func more(keeping start: inout Int) throws(ReadError) -> Bool {
        guard source != nil else { return false }
        if start == 0, count == capacity, capacity >= maximum {
            throw error("a single item is longer than \(maximum) bytes")
        }
        do throws(SystemError) {
            return try read(keeping: &start) > 0
        } catch {
            throw self.error(error.description)
        }
    }

    /// Reads more bytes as ``more(keeping:)`` does.
    ///
    /// - Returns: Their number; 0 at the end of the stream, and when `maximum` bytes are kept.
    package mutating func read(keeping start: inout Int) throws(SystemError) -> Int {
        guard let source else { return 0 }
        if start > 0 {
            base.update(from: base + start, count: count - start)
            count -= start
            position -= start
            offset += start
            start = 0
        } else if count == capacity {
            grow()
        }
        let read = try source.read(into: UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count))
        count += read
        return read
    }

    /// Reads more bytes if all have been consumed.
    ///
    /// - Returns: `false` at the end of the stream.
    package mutating func refill() throws(ReadError) -> Bool {
        var start = position
        return try more(keeping: &start)
    }

    private mutating func grow() {
        guard capacity < maximum else { return }
        let larger = min(capacity * 2, maximum)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }

    /// Returns an error at the next byte.
    package func error(_ reason: String) -> ReadError { ReadError(offset: streamOffset, line: line, reason: reason) }

    /// Returns an error: the input ends prematurely.
    package func truncated(_ reason: String) -> ReadError {
        ReadError(offset: offset + count, line: line, reason: reason, isTruncated: true)
    }
}
