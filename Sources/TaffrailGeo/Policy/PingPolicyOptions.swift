public import Taffrail

/// The options of a ``PingPolicy`` in a configuration.
public struct PingPolicyOptions: PluginOptions {
    /// The settings.
    public var settings: PingSettings
    /// The home; `nil`: the home that is set while the program runs, or none.
    public var home: Coordinate?

    /// Creates options.
    public init(settings: PingSettings = PingSettings(), home: Coordinate? = nil) {
        self.settings = settings
        self.home = home
    }

    /// The name of a mode, of a setting that is a number or a duration, or of another option.
    private struct Key: CodingKey, CaseIterable {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { return nil }

        static func mode(_ mode: PingMode) -> Key { Key(stringValue: mode.key) }
        static func setting(_ setting: PingSettings.Setting) -> Key { Key(stringValue: setting.name) }
        static let home = Key(stringValue: "home")
        static let night = Key(stringValue: "night")
        static let simulated = Key(stringValue: "simulated")

        static let allCases =
            PingMode.allCases.map(mode) + PingSettings.Setting.common.map(setting) + [home, night, simulated]
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Key.self)
        self.init()
        for mode in PingMode.allCases {
            guard let tuning: TuningOptions = try options.value(.mode(mode)) else { continue }
            let standard = settings[mode]
            settings[mode] = PingSettings.Tuning(
                interval: tuning.interval ?? standard.interval, distance: tuning.distance ?? standard.distance,
                accuracy: tuning.accuracy ?? standard.accuracy, filter: tuning.filter ?? standard.filter)
        }
        settings.movingSpeed = try options.value(
            .setting(.movingSpeed), or: settings.movingSpeed, in: PingSettings.Range.movingSpeed)
        settings.stoppedSpeed = try options.value(
            .setting(.stoppedSpeed), or: min(settings.stoppedSpeed, settings.movingSpeed), in: 0...settings.movingSpeed)
        settings.stoppedAfter = try options.value(
            .setting(.stoppedAfter), or: settings.stoppedAfter, in: PingSettings.Range.stoppedAfter)
        settings.homeRadius = try options.value(
            .setting(.homeRadius), or: settings.homeRadius, in: PingSettings.Range.homeRadius)
        settings.homeHysteresis = try options.value(
            .setting(.homeHysteresis), or: settings.homeHysteresis, in: PingSettings.Range.homeHysteresis)
        settings.lowBattery = try options.value(.setting(.lowBattery), in: PingSettings.Range.lowBattery)
        settings.heartbeat = try options.value(.setting(.heartbeat), in: PingSettings.Range.heartbeat)
        settings.simulated = try options.value(.simulated, or: settings.simulated)
        settings.wake = try options.value(.setting(.wake), or: settings.wake, in: PingSettings.Range.wake)
        if let night: NightOption = try options.value(.night) { settings.night = night.window }
        if let home: HomeOption = try options.value(.home) { self.home = home.coordinate }
    }
}

/// The options of one mode.
private struct TuningOptions: Decodable {
    var interval: Duration?
    var distance: Double?
    var accuracy: Double?
    var filter: Double?

    private enum CodingKeys: String, CodingKey, CaseIterable { case interval, distance, accuracy, filter }

    init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        interval = try options.value(.interval, in: PingSettings.Range.interval)
        distance = try options.value(.distance, in: PingSettings.Range.distance)
        accuracy = try options.value(.accuracy, in: PingSettings.Range.accuracy)
        filter = try options.value(.filter, in: PingSettings.Range.filter)
    }
}

/// A night, or `false`.
private struct NightOption: Decodable {
    var window: NightWindow?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case from, to
        case timeZone = "time_zone"
    }

    init(from decoder: any Decoder) throws {
        if let isWanted = try? decoder.singleValueContainer().decode(Bool.self) {
            window = isWanted ? NightWindow() : nil
            return
        }
        let options = try decoder.container(keyedBy: CodingKeys.self)
        var night = NightWindow()
        func minutes(_ key: CodingKeys, or standard: Int) throws -> Int {
            guard let text: String = try options.value(key) else { return standard }
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]),
                let minute = Int(parts[1]), (0..<24).contains(hour), (0..<60).contains(minute)
            else { throw options.problem(key, "must be a time of day such as \"22:00\", not \"\(text)\"") }
            return hour * 60 + minute
        }
        night.start = try minutes(.from, or: night.start)
        night.end = try minutes(.to, or: night.end)
        guard night.start != night.end else {
            throw options.problem(
                options.contains(.to) ? .to : .from, "the night must not start and end at the same time")
        }
        if let name: String = try options.value(.timeZone) {
            guard let zone = TimeZoneRules(name) else {
                throw options.problem(
                    .timeZone, "\"\(name)\" is not a time zone of \(TimeZoneRules.directory), such as Europe/Copenhagen"
                )
            }
            night.timeZone = zone
        }
        window = night
    }
}

/// The name of a place, or a coordinate.
private struct HomeOption: Decodable {
    var coordinate: Coordinate

    private enum CodingKeys: String, CodingKey, CaseIterable { case latitude, longitude }

    init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            let place = try PlacesOptions.place(named: name, in: decoder) {
                .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: $0))
            }
            coordinate = place.center
            return
        }
        let options = try decoder.container(keyedBy: CodingKeys.self)
        coordinate = try options.coordinate(.latitude, .longitude)
    }
}
