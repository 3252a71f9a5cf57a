internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Splits the bytes of a source into lines.
///
/// It keeps one chunk in memory, or one line if that is longer. A line of more than 64 MiB is split.
final class LineReader<Source: ByteSource> {
    let feed: Source
    private var window: ByteWindow
    /// The window's bytes; copies, because each access to the window costs a run-time check.
    private var base: UnsafeMutablePointer<UInt8>
    private var count = 0
    /// The start of the next line.
    private var position = 0
    private var lineStart = 0
    private var lineLength = 0
    private static var chunk: Int { 256 << 10 }
    private static var longest: Int { 64 << 20 }

    init(_ feed: Source) {
        self.feed = feed
        window = ByteWindow(feed, maximum: Self.longest, chunk: Self.chunk)
        base = window.base
    }

    /// The current line, without its newline.
    var line: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + lineStart, count: lineLength) }
    /// The current line and its terminator.
    var lineWithEnding: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + lineStart, count: position - lineStart)
    }
    /// The number of bytes that have been read but not yet returned as lines.
    fileprivate var pending: Int { count - position }

    /// Advances to the next line.
    ///
    /// - Parameter takesRest: Whether the unterminated remainder counts as a line.
    /// - Returns: `false` if there is no line.
    func next(takesRest: Bool) throws(SystemError) -> Bool {
        var searched = position
        while true {
            if searched < count, let found = memchr(base + searched, 0x0A, count - searched) {
                let newline = UnsafeRawPointer(found) - UnsafeRawPointer(base)
                setLine(upTo: newline)
                position = newline + 1
                return true
            }
            if pending >= Self.longest { return takeRest() }
            let known = pending
            let got = try readMore()
            searched = position + known
            if got == 0 {
                guard takesRest && pending > 0 else { return false }
                return takeRest()
            }
        }
    }

    /// Reads more bytes after the pending ones, which may move; returns their number.
    private func readMore() throws(SystemError) -> Int {
        var start = position
        window.position = position
        defer {
            base = window.base
            count = window.count
            position = window.position
        }
        return try window.read(keeping: &start)
    }

    private func takeRest() -> Bool {
        setLine(upTo: count)
        position = count
        return true
    }

    private func setLine(upTo end: Int) {
        lineStart = position
        lineLength = end - position
        // Lines of other programs may end in CR LF.
        if lineLength > 0, base[end - 1] == 0x0D { lineLength -= 1 }
    }
}

extension LineReader where Source == ByteFeed {
    /// The file offset of the next line; valid only for plain files.
    var offset: Int64 { feed.offset - Int64(pending) }
}
