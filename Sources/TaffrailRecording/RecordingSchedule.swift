internal import Taffrail
internal import TaffrailText

/// The time of a recording's events since its start, by the monotonic clock.
///
/// Events received without a monotonic time, such as log records, get their time from the last known difference between
/// that clock and the wall clock. Time never goes backwards.
struct RecordingSchedule {
    private var start = Timestamp(nanoseconds: 0)
    /// Uptime minus wall time, in nanoseconds, when both were last known.
    private var offset: Int64?
    private var startUptime: Int64?
    private var last = 0.0

    /// Starts at a time.
    ///
    /// - Parameter last: The time of the last existing event.
    mutating func begin(at start: Timestamp, uptime: Int64?, last: Double) {
        self.start = start
        self.last = last
        startUptime = uptime
        offset = uptime.map { $0 &- start.nanoseconds }
    }

    /// Returns the seconds since the start.
    mutating func relativeTime(received: Timestamp, uptime: Int64?) -> Double {
        if let uptime { offset = uptime &- received.nanoseconds }
        var time = received.seconds(since: start)
        let now = uptime ?? offset.map { received.nanoseconds &+ $0 }
        if let now {
            // The first event with an uptime determines the start.
            let origin = startUptime ?? now.subtractingClamped(Int64((min(max(time, 0), 9e9) * 1e9).rounded()))
            startUptime = origin
            time = Double(now.subtractingClamped(origin)) / 1e9
        }
        last = max(last, time)
        return last
    }
}
