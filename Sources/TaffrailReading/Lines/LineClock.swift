internal import Taffrail

/// Whose clock the lines of a file show, and what time a line has that has none.
struct LineClock {
    private(set) var zone = ZoneOffset.local
    /// Reads lines that show this clock.
    var heads = LineHeadReader()
    /// The first record's moment of a file whose zone its first line will tell.
    private var firstMoment: Int64?
    /// What lines without a time are given that come first: the time of the first one that has one, near the start of
    /// the first file, or of that file's last change.
    private(set) var fallbackTime = Int64.min

    /// Finds out whose clock a file's lines show: the index knows the first record's moment, the line its time of day.
    mutating func set(by feed: ByteFeed, _ entry: LogIndex.File?) throws(SystemError) {
        try findZone(feed, entry)
        if fallbackTime == .min { try findFallback(feed) }
    }

    /// Reads a line of the file, which is its first one when that is to tell the zone.
    mutating func readHead(of line: UnsafeRawBufferPointer) -> LineHead {
        if let moment = firstMoment {
            firstMoment = nil
            var shown = LineHeadReader(zone: .utc)
            if let time = shown.read(line).time { setZone(shown: time, at: moment) }
        }
        return heads.read(line)
    }

    private mutating func findZone(_ feed: ByteFeed, _ entry: LogIndex.File?) throws(SystemError) {
        heads = LineHeadReader(zone: zone)
        firstMoment = nil
        guard let first = entry?.stretches.first, first.start == 0 else { return }
        if feed.isCompressed {
            firstMoment = first.time
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

    private mutating func setZone(shown: Int64, at moment: Int64) {
        // Zones lie a multiple of a quarter of an hour apart.
        let quarter: Int64 = 900_000_000_000
        let difference = shown.subtractingClamped(moment).addingClamped(quarter / 2)
        let ahead = CivilTime.floorDivide(difference, by: quarter) * 900
        zone = ahead == ZoneOffset.local.seconds(moment / 1_000_000_000) ? .local : ZoneOffset { _ in ahead }
        heads = LineHeadReader(zone: zone)
    }
}
