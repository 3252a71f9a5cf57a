internal import Taffrail
internal import TaffrailText

/// Checks whether a file has the lines that the index has for another file: a copied or compressed file has another
/// inode.
enum StretchCheck {
    static func fits(_ stretches: [LogIndex.Stretch], _ path: String, isCompressed: Bool = false) -> Bool {
        guard !stretches.isEmpty, let file = try? FileDescriptor(path, [.read, .ownFile]),
            let feed = try? ByteFeed(file, path: path, isCompressed: isCompressed)
        else { return false }
        let reader = LineReader(feed)
        var left = stretches[...]
        var (sum, lines) = (StretchSum(), Int64(0))
        var heads = LineHeadReader(zone: .utc)
        while let stretch = left.first {
            let start = reader.offset
            guard (try? reader.next(takesRest: false)) == true else { return false }
            if start < stretch.start { continue }
            if start == stretch.start {
                (sum, lines) = (StretchSum(), 0)
                guard isTime(heads.read(reader.line).time, of: stretch.time) else { return false }
            } else if lines == 0 {
                return false
            }
            sum.add(reader.lineWithEnding)
            lines += 1
            // If its end is unknown, only its start can be compared.
            guard let end = stretch.end else {
                left.removeFirst()
                continue
            }
            guard reader.offset >= end else { continue }
            guard reader.offset == end, stretch.lines ?? lines == lines, stretch.sum ?? sum.value == sum.value else {
                return false
            }
            left.removeFirst()
        }
        return true
    }

    /// Returns whether a line may show a time in some zone: offsets from UTC are multiples of a quarter of an hour.
    private static func isTime(_ shown: Int64?, of time: Int64) -> Bool {
        guard let shown else { return true }
        let second: Int64 = 1_000_000_000
        let ahead = shown.subtractingClamped(time).addingClamped(second)
        return ahead - CivilTime.floorDivide(ahead, by: 900 * second) * 900 * second <= 2 * second
    }
}
