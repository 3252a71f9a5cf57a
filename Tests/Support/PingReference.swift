internal import Foundation
internal import Taffrail
package import TaffrailGeo

/// The policy of pings in Python, `Tests/Reference/ping-policy.py`, which is written from the description alone.
package struct PingReference {
    private let settings: PingSettings
    private let zone: String
    private let home: Coordinate?

    /// - Parameter zone: The name of the time zone of the night.
    package init(_ settings: PingSettings, zone: String, home: Coordinate?) {
        self.settings = settings
        self.zone = zone
        self.home = home
    }

    /// The decisions, one line per fix: mode, reason, and the time of the sent position in nanoseconds, or `-`.
    ///
    /// - Parameter battery: The state of the battery at the fix with an index.
    package func decisions(
        _ fixes: [Location], battery: (Int) -> BatteryState? = { _ in nil }
    ) throws -> [Substring] {
        var input = description
        for (index, fix) in fixes.enumerated() { input += Self.line(fix, battery(index)) }
        let script = Repository.root.appending(path: "Tests/Reference/ping-policy.py").path
        let result = try Program.run([script], of: "python3", input: input)
        guard result.errors.isEmpty else { throw SystemError("run the reference: \(result.errors)", code: 5) }
        return result.output.split(separator: "\n")
    }

    private static func line(_ entries: [(String, String)]) -> String {
        "{" + entries.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
    }

    private var description: String {
        var entries: [(String, String)] = [
            ("zone", "\"\(zone)\""), ("moving_speed", "\(settings.movingSpeed)"),
            ("stopped_speed", "\(settings.stoppedSpeed)"), ("stopped_after", "\(settings.stoppedAfter / .seconds(1))"),
            ("home_radius", "\(settings.homeRadius)"), ("home_hysteresis", "\(settings.homeHysteresis)"),
            ("simulated", "\(settings.simulated)"),
        ]
        for mode in PingMode.allCases {
            entries.append((mode.rawValue, "[\(settings[mode].interval / .seconds(1)),\(settings[mode].distance)]"))
        }
        if let night = settings.night { entries.append(("night", "[\(night.start),\(night.end)]")) }
        if let home { entries.append(("home", "[\(home.latitude),\(home.longitude)]")) }
        if let low = settings.lowBattery { entries.append(("low_battery", "\(low)")) }
        if let heartbeat = settings.heartbeat { entries.append(("heartbeat", "\(heartbeat / .seconds(1))")) }
        return Self.line(entries)
    }

    private static func line(_ fix: Location, _ battery: BatteryState?) -> String {
        let place = "\"lat\":\(fix.coordinate.latitude),\"lon\":\(fix.coordinate.longitude)"
        let (accuracy, speed) = (number(fix.horizontalAccuracy), number(fix.speed))
        let power = "\"battery\":\(number(battery?.level)),\"charging\":\(battery?.isCharging ?? false)"
        return "{\"t\":\(fix.timestamp.nanoseconds),\(place),\"acc\":\(accuracy),\"speed\":\(speed),"
            + "\"simulated\":\(fix.isSimulated),\(power)}\n"
    }

    private static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }
}
