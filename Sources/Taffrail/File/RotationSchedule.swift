/// Computes when the period of a file ends.
struct RotationSchedule: Sendable {
    let every: RotationOptions.Period
    let zone: ZoneOffset

    /// How long lines from before a period's end may be written to its file: as long as a call may wait for the queue.
    static let grace: Int64 = 5_000_000_000

    private static let second: Int64 = 1_000_000_000

    /// Returns the end of the period that contains a time; both in nanoseconds since 1970.
    func end(of time: Int64) -> Int64 {
        let seconds = CivilTime.floorDivide(time, by: Self.second)
        let (end, isBeyond) = endSeconds(seconds).multipliedReportingOverflow(by: Self.second)
        return isBeyond ? .max : end
    }

    /// Returns whether a file that was started at a given time is due.
    ///
    /// It also is when the clock has been set back by more than a period: such a file would otherwise stay until the
    /// wrong time is reached again.
    func isDue(started: Int64, end: Int64, now: Int64) -> Bool {
        if now >= end { return true }
        let (earliest, isBeyond) = started.subtractingReportingOverflow(length * Self.second)
        return !isBeyond && now < earliest
    }

    private var length: Int64 {
        switch every {
        case .minute: 60
        case .hour: 3600
        case .day: 86_400
        case .week: 7 * 86_400
        }
    }

    private func endSeconds(_ time: Int64) -> Int64 {
        switch every {
        case .minute, .hour:
            // The clock may change within an hour, but then by full minutes, and the next period is correct again.
            let local = time + zone.seconds(time)
            return time + length - (local - CivilTime.floorDivide(local, by: length) * length)
        case .day, .week:
            // The first second of another day: by search, because a midnight may be skipped or repeated.
            let current = period(at: time)
            var before = time
            var after = time + length + 2 * 86_400
            while after - before > 1 {
                let middle = before + (after - before) / 2
                if period(at: middle) > current { after = middle } else { before = middle }
            }
            return after
        }
    }

    /// Returns the number of the local day or week. 1970 started on a Thursday.
    private func period(at time: Int64) -> Int64 {
        let day = CivilTime.floorDivide(time + zone.seconds(time), by: 86_400)
        return every == .week ? CivilTime.floorDivide(day + 3, by: 7) : day
    }
}
