public import Taffrail

extension PingSettings {
    /// A setting that is a number or a duration, by its name in a configuration.
    enum Setting: Hashable {
        case interval(PingMode)
        case distance(PingMode)
        case movingSpeed, stoppedSpeed, stoppedAfter, homeRadius, homeHysteresis, lowBattery, heartbeat, wake

        /// Those that hold for all modes.
        static let common: [Setting] = [
            .movingSpeed, .stoppedSpeed, .stoppedAfter, .homeRadius, .homeHysteresis, .lowBattery, .heartbeat, .wake,
        ]
        static let all: [Setting] = PingMode.allCases.flatMap { [.interval($0), .distance($0)] } + common

        var name: String {
            switch self {
            case .interval(let mode): mode.key + ".interval"
            case .distance(let mode): mode.key + ".distance"
            case .movingSpeed: "moving_speed"
            case .stoppedSpeed: "stopped_speed"
            case .stoppedAfter: "stopped_after"
            case .homeRadius: "home_radius"
            case .homeHysteresis: "home_hysteresis"
            case .lowBattery: "low_battery"
            case .heartbeat: "heartbeat"
            case .wake: "wake"
            }
        }
    }

    /// The ranges of the settings.
    enum Range {
        static let interval = Duration.zero ... .days(7)
        static let distance = 0.0...1_000_000
        static let accuracy = 0.0...10_000
        static let filter = 0.0...100_000
        static let movingSpeed = 0.1...100
        static let stoppedAfter = Duration.zero ... .hours(1)
        static let homeRadius = 10.0...10_000
        static let homeHysteresis = 0.0...10_000
        static let lowBattery = 0.01...1
        static let heartbeat = Duration.seconds(1) ... .days(7)
        static let wake = Duration.zero ... .hours(1)
    }

    /// The names that ``set(_:to:)`` accepts.
    public static var settingNames: [String] { Setting.all.map(\.name) }

    /// Sets the setting with a name, such as `moving.interval`, to a value as in a configuration, such as `30s`.
    ///
    /// - Throws: `OptionError` for an unknown name or an invalid value.
    public mutating func set(_ name: String, to text: String) throws(OptionError) {
        guard let setting = Setting.all.first(where: { $0.name == name }) else {
            throw OptionError(name, "is not a setting; settings: \(Self.settingNames.joined(separator: ", "))")
        }
        func duration(_ range: ClosedRange<Duration>) throws(OptionError) -> Duration {
            guard let value = DurationText.duration(text), range.contains(value) else {
                let limits = "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
                throw OptionError(name, "must be a duration from \(limits), not \"\(text)\"")
            }
            return value
        }
        func number(_ range: ClosedRange<Double>) throws(OptionError) -> Double {
            guard let value = Double(text), range.contains(value) else {
                throw OptionError(
                    name, "must be a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
            }
            return value
        }
        switch setting {
        case .interval(let mode): self[mode].interval = try duration(Range.interval)
        case .distance(let mode): self[mode].distance = try number(Range.distance)
        case .movingSpeed:
            movingSpeed = try number(Range.movingSpeed)
            stoppedSpeed = min(stoppedSpeed, movingSpeed)
        case .stoppedSpeed: stoppedSpeed = try number(0...movingSpeed)
        case .stoppedAfter: stoppedAfter = try duration(Range.stoppedAfter)
        case .homeRadius: homeRadius = try number(Range.homeRadius)
        case .homeHysteresis: homeHysteresis = try number(Range.homeHysteresis)
        case .lowBattery: lowBattery = try number(Range.lowBattery)
        case .heartbeat: heartbeat = try duration(Range.heartbeat)
        case .wake: wake = try duration(Range.wake)
        }
    }
}

extension PingMode {
    /// Its name in configurations.
    package var key: String {
        switch self {
        case .moving: "moving"
        case .stationaryDay: "stationary_day"
        case .homeOrNight: "home_or_night"
        }
    }
}
