internal import Glibc
internal import Taffrail

/// Splits the bytes of a feed into lines.
///
/// It keeps one chunk in memory, or one line if that is longer. A line of more than 64 MiB is split.
final class LineReader {
    let feed: ByteFeed
    private var buffer: UnsafeMutableRawPointer
    private var capacity: Int
    /// The bytes read but not yet returned.
    private var start = 0
    private var end = 0
    private var lineLength = 0
    private static let chunk = 256 << 10
    private static let longest = 64 << 20

    init(_ feed: ByteFeed) {
        self.feed = feed
        capacity = Self.chunk
        buffer = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// The current line, without its newline.
    var line: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer + lineStart, count: lineLength) }
    /// The current line and its terminator.
    var lineWithEnding: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: buffer + lineStart, count: start - lineStart)
    }
    private var lineStart = 0

    /// The file offset of the next line; valid only for plain files.
    var offset: Int64 { feed.offset - Int64(end - start) }

    /// Advances to the next line.
    ///
    /// - Parameter takesRest: Whether an unterminated rest counts as a line.
    /// - Returns: `false` if there is no line.
    func next(takesRest: Bool) throws(SystemError) -> Bool {
        var searched = start
        while true {
            if searched < end, let found = memchr(buffer + searched, 0x0A, end - searched) {
                let newline = UnsafeRawPointer(found) - UnsafeRawPointer(buffer)
                setLine(upTo: newline)
                start = newline + 1
                return true
            }
            if end - start >= Self.longest { return takeRest() }
            searched = end
            let moved = start
            makeRoom()
            searched -= moved - start
            let got = try feed.read(capacity - end, to: buffer + end)
            if got == 0 {
                guard takesRest && end > start else { return false }
                return takeRest()
            }
            end += got
        }
    }

    private func takeRest() -> Bool {
        setLine(upTo: end)
        start = end
        return true
    }

    private func setLine(upTo end: Int) {
        lineStart = start
        lineLength = end - start
        // Lines of other programs may end in CR LF.
        if lineLength > 0, buffer.load(fromByteOffset: end - 1, as: UInt8.self) == 0x0D { lineLength -= 1 }
    }

    /// Moves the remaining bytes to the buffer's start, and grows the buffer if a single line fills it.
    private func makeRoom() {
        if start > 0 {
            if end > start { memmove(buffer, buffer + start, end - start) }
            end -= start
            start = 0
        }
        guard end == capacity else { return }
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
        larger.copyMemory(from: buffer, byteCount: end)
        buffer.deallocate()
        buffer = larger
        capacity *= 2
    }
}
