/// Converts between a track's time and the monotonic clock.
///
/// All times are relative to the last start, seek or change of rate, not to the previous event, so that errors do not
/// add up.
struct ReplayClock: Sendable, Hashable {
    /// Seconds of the track per second.
    private(set) var rate: Double
    private(set) var isPaused = true
    private var anchorTime: Double
    private var anchorUptime: Int64 = 0

    /// Creates a stopped clock at a time of the track.
    init(rate: Double, at time: Double = 0) {
        self.rate = rate
        anchorTime = time
    }

    /// Returns the track's time at a time of the monotonic clock.
    func time(at uptime: Int64) -> Double {
        isPaused ? anchorTime : anchorTime + Double(uptime - anchorUptime) / 1e9 * rate
    }

    /// Returns when an event is due, in nanoseconds of the monotonic clock; 0 if that is too long ago, and `nil` while
    /// the clock is stopped.
    func due(_ time: Double) -> Int64? {
        guard !isPaused else { return nil }
        let nanoseconds = ((time - anchorTime) / rate * 1e9).rounded()
        guard abs(nanoseconds) < 4e18 else { return nanoseconds < 0 ? 0 : .max }
        let (due, overflow) = anchorUptime.addingReportingOverflow(Int64(nanoseconds))
        return overflow ? .max : due
    }

    mutating func setRate(_ rate: Double, at uptime: Int64) {
        jump(to: time(at: uptime), at: uptime)
        self.rate = rate
    }

    mutating func pause(at uptime: Int64) {
        jump(to: time(at: uptime), at: uptime)
        isPaused = true
    }

    mutating func resume(at uptime: Int64) {
        guard isPaused else { return }
        anchorUptime = uptime
        isPaused = false
    }

    mutating func jump(to time: Double, at uptime: Int64) {
        anchorTime = time
        anchorUptime = uptime
    }
}
