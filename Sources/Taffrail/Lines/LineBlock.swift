/// Encoded lines to be written together.
struct LineBlock: ~Copyable {
    /// One line.
    private struct Line {
        /// The end of the line in the block.
        let end: Int
        /// The ring position after its record.
        let position: UInt64
        /// The time of its record.
        let timestamp: Int64
        /// The sequence number of its record.
        let sequence: UInt64
    }

    /// A summary of a block, for the index.
    struct Extent {
        var run = RingID.none
        var firstSequence: UInt64 = 0
        var lastSequence: UInt64 = 0
        var lines = 0
        /// The times of the earliest and the latest record, in nanoseconds since 1970.
        var earliest = Int64.max
        var latest = Int64.min
    }

    private var buffer = LineBuffer(capacity: 64 << 10)
    private var lines: UnsafeMutablePointer<Line>
    private var capacity = 1024
    /// The number of lines.
    private(set) var lineCount = 0
    private var highestRaw: UInt8 = 0

    /// The most memory to keep between two batches.
    private static let kept = 320 << 10

    init() { lines = .allocate(capacity: capacity) }

    deinit { lines.deallocate() }

    var isEmpty: Bool { lineCount == 0 }
    /// The highest level since ``removeAll()``.
    var highest: Level { Level(rawValue: highestRaw) ?? .critical }
    /// The number of bytes of all lines.
    var count: Int { buffer.count }

    /// Appends a record's line.
    @inline(__always)
    mutating func append(_ record: borrowing RecordView, _ encoder: inout some LineEncoding) {
        encoder.encode(record, into: &buffer)
        highestRaw = max(highestRaw, record.fields.rawLevel)
        if lineCount == capacity { grow() }
        (lines + lineCount).initialize(
            to: Line(
                end: buffer.count, position: record.end, timestamp: record.fields.timestamp,
                sequence: record.sequence))
        lineCount &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Line>.allocate(capacity: 2 * capacity)
        larger.moveInitialize(from: lines, count: lineCount)
        lines.deallocate()
        lines = larger
        capacity *= 2
    }

    /// Removes all lines.
    mutating func removeLines() {
        lineCount = 0
        buffer.removeAll(keeping: Self.kept)
    }

    /// Removes all lines and resets the highest level.
    mutating func removeAll() {
        removeLines()
        highestRaw = 0
    }

    /// Returns the bytes of some lines. Valid until the block is changed.
    func bytes(of range: Range<Int>) -> UnsafeRawBufferPointer {
        guard !range.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(
            rebasing: buffer.bytes[start(of: range.lowerBound)..<lines[range.upperBound - 1].end])
    }

    /// Returns the length of a line in bytes.
    func length(of index: Int) -> Int { lines[index].end - start(of: index) }

    /// Returns the ring position after a line's record.
    func position(after index: Int) -> UInt64 { lines[index].position }

    /// Returns the summary of some lines, for the index.
    func extent(of range: Range<Int>, run: RingID) -> Extent {
        var extent = Extent(run: run, lines: range.count)
        guard let first = range.first, let last = range.last else { return extent }
        extent.firstSequence = lines[first].sequence
        extent.lastSequence = lines[last].sequence
        for index in range {
            extent.earliest = min(extent.earliest, lines[index].timestamp)
            extent.latest = max(extent.latest, lines[index].timestamp)
        }
        return extent
    }

    /// Returns the end of the longest range of lines starting at `first` with at most `room` bytes; at least one line.
    func lastLine(from first: Int, to last: Int, in room: Int) -> Int {
        let limit = start(of: first) + room
        var low = first + 1
        var high = last
        while low < high {
            let middle = low + (high - low + 1) / 2
            if lines[middle - 1].end <= limit { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Returns the index of the first line, starting at `first`, whose record is not before a time.
    func firstLine(from first: Int, notBefore time: Int64) -> Int {
        var index = first
        while index < lineCount && lines[index].timestamp < time { index += 1 }
        return index
    }

    private func start(of index: Int) -> Int { index == 0 ? 0 : lines[index - 1].end }
}
