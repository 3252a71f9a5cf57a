internal import Taffrail

/// The settings of a ``PingPolicy``.
public struct PingSettings: Sendable, Hashable {
    /// The settings of one mode.
    public struct Tuning: Sendable, Hashable {
        /// The minimum time between two pings. From 0 to 7 days.
        public var interval: Duration
        /// The minimum distance between two pings, in metres. From 0 to 1,000,000.
        public var distance: Double
        /// The accuracy that is requested from the source of positions, in metres; 0: the best. From 0 to 10,000.
        public var accuracy: Double
        /// The distance between two fixes that is requested from the source, in metres; 0: every fix. From 0 to
        /// 100,000. The policy itself evaluates every fix.
        public var filter: Double

        /// Creates settings of a mode.
        public init(interval: Duration, distance: Double, accuracy: Double, filter: Double) {
            self.interval = interval
            self.distance = distance
            self.accuracy = accuracy
            self.filter = filter
        }
    }

    /// Mode `moving`. Default: 15 s and 25 m, the best accuracy, a fix each 10 m.
    public var moving = Tuning(interval: .seconds(15), distance: 25, accuracy: 0, filter: 10)
    /// Mode `stationaryDay`. Default: 5 min and 50 m, an accuracy of 100 m, a fix each 25 m.
    public var stationaryDay = Tuning(interval: .minutes(5), distance: 50, accuracy: 100, filter: 25)
    /// Mode `homeOrNight`. Default: 30 min and 100 m, an accuracy of 1 km, a fix each 50 m.
    public var homeOrNight = Tuning(interval: .minutes(30), distance: 100, accuracy: 1_000, filter: 50)
    /// The speed from which the device counts as moving, in metres per second. From 0.1 to 100. Default 1.5.
    public var movingSpeed = 1.5
    /// The speed below which the device counts as slow, in metres per second. From 0 to ``movingSpeed``. Default 0.7.
    public var stoppedSpeed = 0.7
    /// How long the device must be slow before it no longer counts as moving. From 0 to 1 h. Default 60 s.
    public var stoppedAfter = Duration.seconds(60)
    /// The distance from the home up to which the device counts as at home, in metres. From 10 to 10,000. Default 100.
    public var homeRadius = 100.0
    /// The additional distance at which the home has been left, in metres. From 0 to 10,000. Default 20.
    public var homeHysteresis = 20.0
    /// The night; `nil`: none. Default: from 22:00 to 06:00 in the time zone of the system.
    public var night: NightWindow? = NightWindow()
    /// The level of the battery below which the intervals double, unless it is charging. Above 0 to 1. Default `nil`:
    /// the level does not matter.
    public var lowBattery: Double?
    /// The time without a ping after which the last one is repeated. From 1 s to 7 days. Default `nil`: never.
    public var heartbeat: Duration?
    /// How often, in mode `homeOrNight`, the source is opened for one fix; in between it is closed. From 0, always
    /// open, to 1 h. Default 60 s. This is only requested from the source: the policy itself evaluates every fix.
    public var wake = Duration.seconds(60)
    /// Whether fixes of a simulation count. Default `true`.
    public var simulated = true

    /// The default settings.
    public init() {}

    /// The settings of a mode.
    public subscript(mode: PingMode) -> Tuning {
        get {
            switch mode {
            case .moving: moving
            case .stationaryDay: stationaryDay
            case .homeOrNight: homeOrNight
            }
        }
        set {
            switch mode {
            case .moving: moving = newValue
            case .stationaryDay: stationaryDay = newValue
            case .homeOrNight: homeOrNight = newValue
            }
        }
    }

    /// Returns the minimum time between two pings in a mode, which a low battery doubles.
    public func interval(_ mode: PingMode, battery: BatteryState?) -> Duration {
        let interval = self[mode].interval
        guard let lowBattery, let battery, !battery.isCharging, let level = battery.level, level < lowBattery else {
            return interval
        }
        return interval * 2
    }
}
