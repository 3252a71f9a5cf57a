internal import Taffrail
internal import TaffrailText

/// The time zone of the lines of a file, and the time of lines without one.
struct LineClock {
    private(set) var zone = ZoneOffset.local
    /// Parses lines in this time zone.
    var heads = LineHeadReader()
    /// The time of the first record, for a file whose zone is derived from its first line.
    private var firstTime: Int64?
    /// The time of lines before the first line with a time: the time of that line if it is near the start of the first
    /// file, otherwise the file's modification time.
    private(set) var fallbackTime = Int64.min

    /// Derives the time zone of a file from the time of its first record in the index and the time in its first line.
    mutating func set(by feed: ByteFeed, _ entry: LogIndex.File?) throws(SystemError) {
        try findZone(feed, entry)
        if fallbackTime == .min { try findFallback(feed) }
    }

    /// Reads a line of the file; the first one may determine the zone.
    mutating func readHead(of line: UnsafeRawBufferPointer) -> LineHead {
        if let time = firstTime {
            firstTime = nil
            var utcHeads = LineHeadReader(zone: .utc)
            if let shown = utcHeads.read(line).time { setZone(shown: shown, at: time) }
        }
        return heads.read(line)
    }

    private mutating func findZone(_ feed: ByteFeed, _ entry: LogIndex.File?) throws(SystemError) {
        heads = LineHeadReader(zone: zone)
        firstTime = nil
        guard let first = entry?.stretches.first, first.start == 0 else { return }
        if feed.isCompressed {
            firstTime = first.time
            return
        }
        var search = LogSearch(feed, size: try feed.file.status().size, zone: .utc)
        if let shown = try search.firstTime(from: 0, to: 1) { setZone(shown: shown, at: first.time) }
    }

    private mutating func findFallback(_ feed: ByteFeed) throws(SystemError) {
        let status = try feed.file.status()
        fallbackTime = status.modified
        guard !feed.isCompressed else { return }
        var search = LogSearch(feed, size: status.size, zone: zone)
        if let time = try search.firstTime(from: 0, to: 64 << 10) { fallbackTime = time }
    }

    private mutating func setZone(shown: Int64, at time: Int64) {
        // Offsets from UTC are multiples of a quarter of an hour.
        let quarter: Int64 = 900_000_000_000
        let difference = shown.subtractingClamped(time).addingClamped(quarter / 2)
        let ahead = CivilTime.floorDivide(difference, by: quarter) * 900
        zone = ahead == ZoneOffset.local.seconds(time / 1_000_000_000) ? .local : ZoneOffset { _ in ahead }
        heads = LineHeadReader(zone: zone)
    }
}
