internal import Taffrail

extension LogIndex.File {
    /// The same for whoever reads no further than so many bytes: a stretch that goes further has no end.
    func settled(upTo end: Int64) -> Self {
        var file = self
        for index in stretches.indices where stretches[index].end ?? 0 > end {
            file.stretches[index].end = nil
            file.stretches[index].lastSequence = nil
            file.stretches[index].lines = nil
            file.stretches[index].latest = nil
            file.stretches[index].sum = nil
        }
        return file
    }

    /// The stretches and what lies between and behind them, which the index does not know, in the order of the file.
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

    /// Where the first record of a moment or later may be: in a stretch, whose first record's time is told, or in
    /// what the index does not know.
    func part(since moment: Int64, size: Int64) -> (part: Range<Int64>, first: Int64?) {
        for (part, stretch) in parts(size: size) {
            if let latest = stretch?.latest, latest < moment { continue }
            return (part, stretch?.time)
        }
        return (size..<size, nil)
    }

    /// The start of the next part, at a place or behind it, that may have what is wanted: a stretch whose first
    /// record is, or whose end is not known, or what the index does not know.
    func start(behind place: Int64, size: Int64, where isWanted: (Int64) -> Bool) -> Int64? {
        parts(size: size).first { part, stretch in
            part.lowerBound >= place && stretch.map { $0.end == nil || isWanted($0.time) } ?? true
        }?.part.lowerBound
    }
}
