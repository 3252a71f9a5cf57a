internal import Taffrail

extension LogIndex.File {
    /// Returns the file as seen by a reader that stops at an offset: a stretch that continues beyond it has no end.
    func resolved(upTo end: Int64) -> Self {
        var file = self
        for index in stretches.indices where stretches[index].end ?? 0 > end {
            file.stretches[index].end = nil
            file.stretches[index].lastSequence = nil
            file.stretches[index].lines = nil
            file.stretches[index].latest = nil
            file.stretches[index].sum = nil
        }
        file.rests.removeAll { $0.start >= end }
        return file
    }

    /// Returns the stretches, and the unindexed ranges between and after them, in file order.
    private func parts(size: Int64) -> [(part: Range<Int64>, stretch: LogIndex.Stretch?)] {
        var parts: [(Range<Int64>, LogIndex.Stretch?)] = []
        var end: Int64 = 0
        for (number, stretch) in stretches.enumerated() where stretch.start >= end && stretch.start < size {
            if stretch.start > end { parts.append((end..<stretch.start, nil)) }
            let next = number + 1 < stretches.count ? stretches[number + 1].start : size
            end = min(size, max(stretch.start, stretch.end ?? next))
            parts.append((stretch.start..<end, stretch))
        }
        if end < size { parts.append((end..<size, nil)) }
        return parts
    }

    /// Returns the first part that may have a record at or after a time: a stretch, with the time of its first record,
    /// or an unindexed range.
    func part(since time: Int64, size: Int64) -> (part: Range<Int64>, first: Int64?) {
        for (part, stretch) in parts(size: size) {
            if let latest = stretch?.latest, latest < time { continue }
            return (part, stretch?.time)
        }
        return (size..<size, nil)
    }

    /// Returns the start of the next part, at or after an offset, that may have a wanted record: a stretch whose first
    /// record is wanted or whose end is unknown, or an unindexed range.
    func start(after offset: Int64, size: Int64, where isWanted: (Int64) -> Bool) -> Int64? {
        parts(size: size).first { part, stretch in
            part.lowerBound >= offset && stretch.map { $0.end == nil || isWanted($0.time) } ?? true
        }?.part.lowerBound
    }
}
