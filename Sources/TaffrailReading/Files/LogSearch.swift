internal import Taffrail
internal import TaffrailText

/// Finds offsets in a plain file of lines without reading all of it.
struct LogSearch {
    private let feed: ByteFeed
    private let size: Int64
    private var heads: LineHeadReader
    private static let chunk = 64 << 10
    /// The number of bytes to read at once when only a line's time is needed.
    private static let probe = 4 << 10
    /// The longest time from logging to writing a record: the default wait of a call while the queue is full.
    static let disorder: Int64 = 5_000_000_000

    init(_ feed: ByteFeed, size: Int64, zone: ZoneOffset) {
        self.feed = feed
        self.size = size
        heads = LineHeadReader(zone: zone)
    }

    /// Returns an offset in a part of the file: all lines before it are earlier than a given time, provided that times
    /// ascend there, apart from the disorder caused by waiting threads.
    ///
    /// - Parameters:
    ///   - part: From the start of a line to the start of another one or the file's end.
    ///   - earliest: The time of the part's earliest line, if known.
    mutating func offset(
        of time: Int64, in part: Range<Int64>, earliest: Int64? = nil
    ) throws(SystemError) -> Int64 {
        let wanted = time.subtractingClamped(Self.disorder)
        if let earliest, wanted <= earliest { return part.lowerBound }
        // The data around a probe is not needed again.
        feed.file.advise(isSequential: false)
        defer { feed.file.advise(isSequential: true) }
        var low = part.lowerBound
        var high = part.upperBound
        while high - low > Int64(Self.chunk) {
            let middle = low + (high - low) / 2
            guard let time = try firstTime(from: middle, to: high) else {
                // No line with a time starts there, but earlier lines may have one.
                high = middle
                continue
            }
            if time < wanted { low = middle } else { high = middle }
        }
        return max(part.lowerBound, try lineStart(atOrBefore: max(0, low - Int64(Self.chunk))))
    }

    /// Returns the time of the first line with a time that starts after an offset.
    mutating func firstTime(from offset: Int64, to limit: Int64) throws(SystemError) -> Int64? {
        var position = offset
        var isInLine = offset > 0
        var length = Self.probe
        while position < limit {
            let bytes = try feed.file.read(min(length, Int(size - position)), at: position)
            guard !bytes.isEmpty else { return nil }
            var found: Int64?
            var used = 0
            bytes.withUnsafeBytes { bytes in
                while used < bytes.count, found == nil {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
                    guard let end = rest.firstIndex(of: 0x0A) else { break }
                    if !isInLine { found = heads.read(UnsafeRawBufferPointer(rebasing: rest[..<end])).time }
                    isInLine = false
                    used += end + 1
                }
            }
            if let found { return found }
            if used == 0 && length < Self.chunk {
                length = Self.chunk
                continue
            }
            if used == 0 {
                // A line that is longer than a chunk.
                isInLine = true
                used = bytes.count
            }
            position += Int64(used)
        }
        return nil
    }

    /// Returns the time of the last line with a time in the last chunk.
    mutating func lastTime() throws(SystemError) -> Int64? {
        let from = max(0, size - Int64(Self.chunk))
        let bytes = try feed.file.read(Int(size - from), at: from)
        var found: Int64?
        bytes.withUnsafeBytes { bytes in
            var end = bytes.count
            while found == nil, end > 0 {
                let start = bytes[..<(end - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
                let isWhole = bytes[end - 1] == 0x0A
                found = heads.read(UnsafeRawBufferPointer(rebasing: bytes[start..<(isWhole ? end - 1 : end)])).time
                end = start
            }
        }
        return found
    }

    /// Returns the start of the line at an offset; 0 if the line is longer than a chunk.
    private func lineStart(atOrBefore offset: Int64) throws(SystemError) -> Int64 {
        guard offset > 0 else { return 0 }
        let from = max(0, offset - Int64(Self.chunk))
        let bytes = try feed.file.read(Int(offset - from), at: from)
        if let newline = bytes.lastIndex(of: 0x0A) { return from + Int64(newline) + 1 }
        return 0
    }

    /// Returns the offset of the last `count` wanted lines, and how many were found.
    mutating func offset(
        ofLast count: Int, before end: Int64, where isWanted: (UnsafeRawBufferPointer, LineHead) -> Bool
    ) throws(SystemError) -> (offset: Int64, found: Int) {
        if count == 0 { return (try lineStart(atOrBefore: end), 0) }
        var found = 0
        // Reads the file in chunks from its end: a chunk [from, to) ends at a line's start or the file's end.
        var to = end
        var length = Self.chunk
        while to > 0 {
            let from = max(0, to - Int64(length))
            let bytes = try feed.file.read(Int(to - from), at: from)
            var index = from == 0 ? 0 : bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            if from > 0 && index >= bytes.count {
                // A single line fills the chunk.
                length *= 2
                continue
            }
            let first = index
            var here = 0
            bytes.withUnsafeBytes { bytes in
                while index < bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[index...])
                    let end = rest.firstIndex(of: 0x0A) ?? rest.count
                    let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
                    let head = heads.read(line)
                    if head.time != nil, isWanted(line, head) { here += 1 }
                    index += end + 1
                }
            }
            found += here
            to = from + Int64(first)
            if found >= count { return (to, found) }
            length = Self.chunk
        }
        return (0, found)
    }
}
