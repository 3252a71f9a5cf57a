import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText
@testable import TaffrailTracks

/// The policy against one that is written in another language, from the description alone.
@Suite(.mayBlock, .enabled(if: Program.path("python3") != nil, "python3 is not installed"))
struct PingPolicyReferenceTests {
    /// A drive, and how it is evaluated.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var settings = PingSettings()
        var zone = "Europe/Berlin"
        var home: Coordinate?
        /// The battery's level as a function of the index of a fix.
        var battery: @Sendable (Int) -> BatteryState? = { _ in nil }
    }

    static let cases: [Case] = [
        Case(testDescription: "the defaults"),
        {
            var one = Case(testDescription: "a low battery, heartbeats and another night", zone: "America/New_York")
            one.settings.heartbeat = .seconds(45)
            one.settings.lowBattery = 0.3
            one.settings.night = NightWindow(from: 90, to: 1_400)
            one.battery = { BatteryState(level: Double($0 % 100) / 100, isCharging: $0 / 100 % 3 == 2) }
            return one
        }(),
        {
            var one = Case(testDescription: "no night, other limits", zone: "Asia/Kathmandu")
            one.settings.night = nil
            one.settings.simulated = false
            one.settings.moving.interval = .milliseconds(2_500)
            one.settings.moving.distance = 0
            one.settings.movingSpeed = 8
            one.settings.stoppedSpeed = 3.5
            one.settings.stoppedAfter = .seconds(20)
            one.settings.homeRadius = 700
            one.settings.homeHysteresis = 0
            return one
        }(),
    ]

    /// Days in winter and about the changes of the clocks, the worse the later.
    private static func days(hasSpeed: Bool) -> [[Location]] {
        let starts: [(time: String, noise: Double)] = [
            ("2026-01-04T23:00:00Z", 2), ("2026-03-28T20:00:00Z", 12), ("2026-10-24T20:00:00Z", 40),
        ]
        return starts.compactMap { start in
            RFC3339.timestamp(start.time).map { DayOfLegs.fixes(from: $0, hasSpeed: hasSpeed, noise: start.noise) }
        }
    }

    // All cases share them.
    private static let daysWithSpeed = days(hasSpeed: true)
    private static let daysWithoutSpeed = days(hasSpeed: false)
    private static let day = DayOfLegs.fixes(from: Timestamp(nanoseconds: 1_767_610_800_000_000_000))

    /// Compares the decisions on a drive.
    ///
    /// - Returns: How many pings there are.
    @discardableResult
    private static func compare(_ fixes: [Location], _ one: Case) throws -> Int {
        var settings = one.settings
        let zone = TimeZoneRules(one.zone)
        try #require(zone != nil, "tzdata is not installed")
        settings.night?.timeZone = zone
        var policy = PingPolicy(settings, home: one.home ?? fixes.first?.coordinate)
        var expected = ""
        for (index, fix) in fixes.enumerated() {
            let decision = policy.evaluate(fix, battery: one.battery(index))
            let sent = decision.ping.map { "\($0.timestamp.nanoseconds)" } ?? "-"
            expected += "\(decision.mode.rawValue) \(decision.reason.rawValue) \(sent)\n"
        }
        let theirs = try PingReference(settings, zone: one.zone, home: policy.home).decisions(
            fixes, battery: one.battery)
        let ours = expected.split(separator: "\n")
        #expect(ours.count == fixes.count && ours.count == theirs.count)
        let different = zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(
            different == nil,
            "fix \(different?.offset ?? 0): \(different?.element.0 ?? ""), expected \(different?.element.1 ?? "")")
        return ours.count { !$0.hasSuffix("-") }
    }

    @Test(arguments: cases, [true, false])
    func `the decisions on a whole day are those of the reference`(_ one: Case, hasSpeed: Bool) throws {
        let days = hasSpeed ? Self.daysWithSpeed : Self.daysWithoutSpeed
        try #require(days.count == 3)
        for fixes in days {
            var one = one
            one.home = DayOfLegs.home
            #expect(try Self.compare(fixes, one) > 20)
        }
    }

    @Test(arguments: cases) func `clocks that are set, late, simulated and incomplete fixes are judged alike`(
        _ one: Case
    ) throws {
        var random = SeededGenerator(seed: 22)
        var fixes = Self.day
        var shift = 0.0
        for index in fixes.indices {
            switch Int.random(in: 0..<60, using: &random) {
            case 0: shift += .random(in: -7_200...7_200, using: &random)
            case 1: fixes[index].horizontalAccuracy = nil
            case 2: fixes[index] = fixes[index].simulated()
            case 3...10: fixes[index].speed = nil
            case 11:
                let delay = Duration.seconds(Double.random(in: 0...90, using: &random))
                fixes[index].timestamp = fixes[index].timestamp - delay
            default: break
            }
            fixes[index].timestamp = fixes[index].timestamp + .seconds(shift)
        }
        try Self.compare(fixes, one)
    }

    @Test(
        .enabled(if: TestData.isThere, "\(TestData.reason)"), arguments: cases,
        ["around-visnjan-with-car.gpx", "cerknicko-jezero.gpx", "track-with-extremes.gpx"])
    func `the decisions on a recorded track are those of the reference`(_ one: Case, name: String) throws {
        var fixes = try TrackFormatTests.read(TestData.path("gpx/\(name)"), .gpx).compactMap(\.event.location)
        // The format has no accuracy.
        for index in fixes.indices where index % 20 != 19 {
            fixes[index].horizontalAccuracy = fixes[index].horizontalAccuracy ?? 8
        }
        try #require(!fixes.isEmpty)
        try Self.compare(fixes, one)
    }

    @Test(
        .enabled(if: TestData.isThere, "\(TestData.reason)"), arguments: cases,
        ["bt451", "ericsson-gru04-02-70sec", "haicom-305N"])
    func `the decisions on a receiver's log are those of the reference`(_ one: Case, name: String) throws {
        let fixes = try TrackFormatTests.read(TestData.path("nmea/\(name).log"), .nmea).compactMap(\.event.location)
        try #require(!fixes.isEmpty)
        try Self.compare(fixes, one)
    }
}
