internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Splits the bytes of a source into lines.
///
/// It keeps one chunk in memory, or one line if that is longer. A line of more than 64 MiB is split.
final class LineReader<Source: ByteSource> {
    let feed: Source
    /// Its position is the start of the next line.
    private var window: ByteWindow
    private var lineStart = 0
    private var lineLength = 0
    private static var chunk: Int { 256 << 10 }
    private static var longest: Int { 64 << 20 }

    init(_ feed: Source) {
        self.feed = feed
        window = ByteWindow(feed, maximum: Self.longest, chunk: Self.chunk)
    }

    /// The current line, without its newline.
    var line: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: window.base + lineStart, count: lineLength) }
    /// The current line and its terminator.
    var lineWithEnding: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: window.base + lineStart, count: window.position - lineStart)
    }
    /// The number of bytes that have been read but not yet returned as lines.
    fileprivate var pending: Int { window.count - window.position }

    /// Advances to the next line.
    ///
    /// - Parameter takesRest: Whether the unterminated remainder counts as a line.
    /// - Returns: `false` if there is no line.
    func next(takesRest: Bool) throws(SystemError) -> Bool {
        var searched = window.position
        while true {
            if searched < window.count, let found = memchr(window.base + searched, 0x0A, window.count - searched) {
                let newline = UnsafeRawPointer(found) - UnsafeRawPointer(window.base)
                setLine(upTo: newline)
                window.position = newline + 1
                return true
            }
            if pending >= Self.longest { return takeRest() }
            searched = pending
            var start = window.position
            let got = try window.read(keeping: &start)
            searched += window.position
            if got == 0 {
                guard takesRest && pending > 0 else { return false }
                return takeRest()
            }
        }
    }

    private func takeRest() -> Bool {
        setLine(upTo: window.count)
        window.position = window.count
        return true
    }

    private func setLine(upTo end: Int) {
        lineStart = window.position
        lineLength = end - lineStart
        // Lines of other programs may end in CR LF.
        if lineLength > 0, window.base[end - 1] == 0x0D { lineLength -= 1 }
    }
}

extension LineReader where Source == ByteFeed {
    /// The file offset of the next line; valid only for plain files.
    var offset: Int64 { feed.offset - Int64(pending) }
}

extension FileDescriptor {
    /// Advises the system how the file will be read.
    func advise(isSequential: Bool) {
        _ = posix_fadvise(number, 0, 0, isSequential ? POSIX_FADV_SEQUENTIAL : POSIX_FADV_RANDOM)
    }
}
