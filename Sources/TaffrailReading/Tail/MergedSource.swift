internal import Taffrail

/// A source within a merge, and the time of its current line.
final class MergedSource {
    let source: any LineSource
    /// The name printed before its lines.
    private(set) var label: String
    /// The path of its log, if it has one.
    let log: String?
    let marks: [LogValueEntry]
    /// The latest time of its lines so far, which preserves the order of its lines if the clock was set back.
    private(set) var time = Int64.min
    private(set) var head = LineHead()
    /// Whether the previous line was wanted.
    var isWanted = true
    var isFirst = true

    init(_ source: any LineSource, label: String, log: String? = nil) {
        self.source = source
        self.label = label
        self.log = log
        marks = source.marks
    }

    /// Labels the source with the path of its log if another log has the same name.
    func distinguish(from other: LogPath) {
        if let log, log != other.live, label == other.base { label = log }
    }

    @inline(__always)
    func advance() -> Bool {
        guard source.next() else { return false }
        head = source.head
        if let own = head.time {
            if own > time { time = own }
        } else if time == .min {
            time = source.fallbackTime
        }
        return true
    }
}

extension [MergedSource] {
    /// The index of the source whose line comes next.
    var earliest: Int? { indices.min { self[$0].time < self[$1].time } }

    /// Returns the time of the next line of the other sources.
    func earliestTime(but excluded: Int) -> Int64 {
        var time = Int64.max
        for index in indices where index != excluded { time = Swift.min(time, self[index].time) }
        return time
    }
}
