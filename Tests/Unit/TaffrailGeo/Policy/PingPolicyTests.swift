import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

/// Fixes for policies: seconds after the start, metres north of the home.
private enum Fix {
    static let home = Coordinate(latitude: 52.52, longitude: 13.405)
    /// Noon in Berlin on 2026-01-05.
    static let noon = Timestamp(nanoseconds: 1_767_610_800_000_000_000)

    static func at(
        _ seconds: Double, north: Double = 0, speed: Double? = 0, accuracy: Double? = 5, from start: Timestamp = noon
    ) -> Location {
        var fix = Location(
            coordinate: Geodesy.destination(from: home, bearing: 0, distance: north),
            timestamp: start + .seconds(seconds))
        fix.speed = speed
        fix.horizontalAccuracy = accuracy
        return fix
    }
}

@Suite struct PingPolicyTests {
    /// A row: what is given, and the modes and reasons that follow.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var settings = PingSettings()
        var hasHome = false
        var fixes: [Location]
        var modes: [PingMode]?
        var reasons: [PingDecision.Reason]?
    }

    private static func row(
        _ name: String, _ fixes: [Location], modes: [PingMode]? = nil, reasons: [PingDecision.Reason]? = nil,
        home: Bool = false, _ change: (inout PingSettings) -> Void = { _ in }
    ) -> Row {
        var settings = PingSettings()
        settings.night = nil
        change(&settings)
        return Row(
            testDescription: name, settings: settings, hasHome: home, fixes: fixes, modes: modes, reasons: reasons)
    }

    private static let berlin = NightWindow(from: 22 * 60, to: 6 * 60, timeZone: TimeZoneRules("Europe/Berlin"))

    private static func time(_ text: String) -> Timestamp { RFC3339.timestamp(text) ?? Timestamp(nanoseconds: 0) }

    private static func clock(_ text: String) -> Location { Fix.at(0, from: time(text)) }

    static let rows: [Row] = [
        row("the first fix is sent", [Fix.at(0, north: 500)], modes: [.stationaryDay], reasons: [.first]),
        row("a moving device is moving, also at home", [Fix.at(0, speed: 1.5)], modes: [.moving], home: true),
        row("a slow device is not moving", [Fix.at(0, speed: 1.49)], modes: [.stationaryDay]),
        row(
            "moving ends after a minute below the lower speed",
            [
                Fix.at(0, speed: 5), Fix.at(10, speed: 0.69), Fix.at(69, speed: 0), Fix.at(70, speed: 0),
                Fix.at(71, speed: 1.4),
            ], modes: [.moving, .moving, .moving, .stationaryDay, .stationaryDay]),
        row(
            "a speed between the two limits begins the minute anew",
            [
                Fix.at(0, speed: 5), Fix.at(10, speed: 0), Fix.at(60, speed: 0.7), Fix.at(75, speed: 0),
                Fix.at(134, speed: 0),
            ],
            modes: [.moving, .moving, .moving, .moving, .moving]),
        row("99 m from home is at home", [Fix.at(0, north: 99)], modes: [.homeOrNight], home: true),
        row("101 m from home is not", [Fix.at(0, north: 101)], modes: [.stationaryDay], home: true),
        row(
            "home is left beyond the hysteresis, and reached within the radius",
            [
                Fix.at(0, north: 99), Fix.at(1, north: 119), Fix.at(2, north: 121), Fix.at(3, north: 119),
                Fix.at(4, north: 100),
            ],
            modes: [.homeOrNight, .homeOrNight, .stationaryDay, .stationaryDay, .homeOrNight], home: true),
        row("without a home nothing is at home", [Fix.at(0)], modes: [.stationaryDay]),
        row(
            "the night begins at its start and ends at its end, over midnight",
            [
                clock("2026-01-05T20:59:59.999Z"), clock("2026-01-05T21:00:00Z"), clock("2026-01-05T23:00:00Z"),
                clock("2026-01-06T04:59:59Z"), clock("2026-01-06T05:00:00Z"),
            ], modes: [.stationaryDay, .homeOrNight, .homeOrNight, .homeOrNight, .stationaryDay]
        ) { $0.night = berlin },
        row(
            "the night follows summer time",
            [
                // Clocks go forward at 01:00 UTC on 29 March, and back at 01:00 UTC on 25 October.
                clock("2026-03-28T05:00:00Z"), clock("2026-03-29T03:59:59Z"), clock("2026-03-29T04:00:00Z"),
                clock("2026-03-29T20:00:00Z"), clock("2026-10-25T04:59:59Z"), clock("2026-10-25T05:00:00Z"),
                clock("2026-10-25T20:59:59Z"), clock("2026-10-25T21:00:00Z"),
            ],
            modes: [
                .stationaryDay, .homeOrNight, .stationaryDay, .homeOrNight, .homeOrNight, .stationaryDay,
                .stationaryDay, .homeOrNight,
            ]
        ) { $0.night = berlin },
        row(
            "a window in the hour that passes twice is there twice",
            [
                "2026-10-24T23:59:59Z", "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:15:00Z",
                "2026-10-25T02:00:00Z",
            ].map(clock),
            modes: [.stationaryDay, .homeOrNight, .stationaryDay, .homeOrNight, .stationaryDay]
        ) { $0.night = NightWindow(from: 120, to: 150, timeZone: TimeZoneRules("Europe/Berlin")) },
        row("a night without time is none", [Fix.at(0)], modes: [.stationaryDay]) {
            $0.night = NightWindow(from: 0, to: 0, timeZone: TimeZoneRules("UTC"))
        },
        row(
            "moving comes before home and night", [Fix.at(0, speed: 9), Fix.at(10, speed: 9)],
            modes: [.moving, .moving],
            home: true
        ) { $0.night = NightWindow(from: 0, to: 1_439) },
        row(
            "both the interval and the distance must be reached",
            [
                Fix.at(0, speed: 2), Fix.at(14.9, north: 100, speed: 2), Fix.at(15, north: 24.9, speed: 2),
                Fix.at(16, north: 25.001, speed: 2),
            ], reasons: [.first, .interval, .distance, .due]),
        row(
            "by day both are longer",
            [Fix.at(0, north: 300), Fix.at(299, north: 500), Fix.at(300, north: 349), Fix.at(301, north: 351)],
            reasons: [.first, .interval, .distance, .due]),
        row(
            "at home both are longest",
            [Fix.at(0, north: -99), Fix.at(1_799, north: 99), Fix.at(1_800, north: 0), Fix.at(1_801, north: 99)],
            reasons: [.first, .interval, .distance, .due], home: true),
        row(
            "a mode's interval counts from the last ping of any mode",
            [Fix.at(0, north: 500, speed: 0), Fix.at(15, north: 530, speed: 2)], reasons: [.first, .due]),
        row(
            "a fix without accuracy is evaluated, and not sent",
            [Fix.at(0, speed: 3, accuracy: nil), Fix.at(1, speed: 3)],
            modes: [.moving, .moving], reasons: [.noAccuracy, .first]),
        row(
            "simulated fixes count", [Fix.at(0, speed: 3).simulated()], modes: [.moving], reasons: [.first]),
        row(
            "simulated fixes can be refused",
            [Fix.at(0, speed: 3).simulated(), Fix.at(1)], modes: [.stationaryDay, .stationaryDay],
            reasons: [.simulated, .first]
        ) { $0.simulated = false },
        row(
            "a coordinate out of range is not evaluated",
            [Location(latitude: 91, longitude: 0, timestamp: Fix.noon + .seconds(5)), Fix.at(0)],
            reasons: [.invalid, .first]),
        row(
            "a fix up to a minute late is not evaluated",
            [Fix.at(100, speed: 2), Fix.at(40, north: 500, speed: 0), Fix.at(115, north: 50, speed: 2)],
            modes: [.moving, .moving, .moving], reasons: [.first, .late, .due]),
        row(
            "after a clock is set back, the interval begins anew",
            [
                Fix.at(7_200, speed: 2), Fix.at(3_600, north: 50, speed: 2), Fix.at(3_614, north: 80, speed: 2),
                Fix.at(3_615, north: 90, speed: 2),
            ], modes: [.moving, .moving, .moving, .moving], reasons: [.first, .interval, .interval, .due]),
        row(
            "after a clock is set forward, the interval is reached",
            [Fix.at(0, speed: 2), Fix.at(86_400, north: 50, speed: 2)], reasons: [.first, .due]),
        row(
            "a heartbeat repeats the last ping",
            [
                Fix.at(0, north: 500), Fix.at(59, north: 500), Fix.at(60, north: 501), Fix.at(119, north: 500),
                Fix.at(120, north: 500),
            ], reasons: [.first, .interval, .heartbeat, .interval, .heartbeat]
        ) { $0.heartbeat = .seconds(60) },
        row(
            "a missing speed is estimated after ten seconds",
            [
                Fix.at(0, speed: nil), Fix.at(9, north: 18, speed: nil), Fix.at(10, north: 20, speed: nil),
                Fix.at(19, north: 22, speed: nil),
            ], modes: [.stationaryDay, .stationaryDay, .moving, .moving]),
        row(
            "a distance within the accuracy is no movement",
            [Fix.at(0, speed: nil, accuracy: 30), Fix.at(10, north: 29, speed: nil, accuracy: 30)],
            modes: [.stationaryDay, .stationaryDay]),
        row(
            "a slow movement with a poor accuracy is seen in the course of a minute",
            (0...6).map { Fix.at(Double($0) * 10, north: Double($0) * 20, speed: nil, accuracy: 100) },
            modes: [
                .stationaryDay, .stationaryDay, .stationaryDay, .stationaryDay, .stationaryDay, .stationaryDay, .moving,
            ]),
        row(
            "ten minutes without a fix end a movement",
            [Fix.at(0, speed: 9), Fix.at(600, speed: 1), Fix.at(1_200.5, speed: 1)],
            modes: [.moving, .moving, .stationaryDay]),
    ]

    @Test(arguments: rows) func `the rules hold`(_ row: Row) {
        var policy = PingPolicy(row.settings, home: row.hasHome ? Fix.home : nil)
        let decisions = row.fixes.map { policy.evaluate($0) }
        if let modes = row.modes { #expect(decisions.map(\.mode) == modes) }
        if let reasons = row.reasons {
            #expect(decisions.map(\.reason) == reasons)
            let sent: [PingDecision.Reason] = [.first, .due, .heartbeat]
            #expect(decisions.map { $0.ping != nil } == reasons.map { sent.contains($0) })
        }
    }

    @Test(
        arguments: [(0.19, false, true), (0.2, false, false), (0.19, true, false), (nil, false, false)]
            as [(Double?, Bool, Bool)])
    func `a low battery that is not charging doubles the intervals`(level: Double?, isCharging: Bool, isDoubled: Bool) {
        var settings = PingSettings()
        settings.lowBattery = 0.2
        var policy = PingPolicy(settings)
        let battery = BatteryState(level: level, isCharging: isCharging)
        let fixes = [0.0, 15, 30].map { Fix.at($0, north: $0 * 10, speed: 10) }
        let reasons = fixes.map { policy.evaluate($0, battery: battery).reason }
        #expect(reasons == [.first, isDoubled ? .interval : .due, .due])
    }

    @Test func `a heartbeat repeats the last ping with its own time, also without fixes`() {
        var policy = PingPolicy()
        policy.settings.heartbeat = .minutes(10)
        #expect(policy.heartbeat(at: Fix.noon) == nil)
        _ = policy.evaluate(Fix.at(0, north: 500))
        #expect(policy.heartbeat(at: Fix.noon + .seconds(599)) == nil)
        let beat = policy.heartbeat(at: Fix.noon + .seconds(600))
        #expect(beat?.reason == .heartbeat && beat?.ping == Fix.at(0, north: 500))
        #expect(policy.heartbeat(at: Fix.noon + .seconds(601)) == nil)
        // It does not count as a ping.
        #expect(policy.evaluate(Fix.at(601, north: 600)).reason == .due)
    }

    @Test func `the earliest next ping follows mode and battery`() {
        var policy = PingPolicy()
        policy.settings.lowBattery = 0.5
        #expect(policy.earliestPing() == nil)
        _ = policy.evaluate(Fix.at(0, speed: 2))
        #expect(policy.earliestPing() == Fix.noon + .seconds(15))
        #expect(policy.earliestPing(battery: BatteryState(level: 0.4)) == Fix.noon + .seconds(30))
    }

    @Test func `a new home is reached from outside`() {
        var policy = PingPolicy(home: Fix.home)
        #expect(policy.evaluate(Fix.at(0)).mode == .homeOrNight)
        policy.home = Geodesy.destination(from: Fix.home, bearing: 0, distance: 110)
        #expect(policy.evaluate(Fix.at(1)).mode == .stationaryDay)
        policy.home = nil
        #expect(policy.evaluate(Fix.at(2, north: 110)).mode == .stationaryDay)
    }

    @Test func `a policy continues exactly where its stored state was`() throws {
        var settings = PingSettings()
        settings.heartbeat = .minutes(20)
        let fixes = DayOfLegs.fixes(from: Fix.noon, hasSpeed: false, seed: 3)
        var whole = PingPolicy(settings, home: DayOfLegs.home)
        var parts = whole
        for (index, fix) in fixes.enumerated() {
            #expect(whole.evaluate(fix) == parts.evaluate(fix))
            guard index % 97 == 0 else { continue }
            let state = try #require(PingPolicy.State(json: parts.state.json))
            #expect(state == parts.state)
            parts = PingPolicy(settings, home: DayOfLegs.home, state: state)
        }
        #expect(PingPolicy.State(json: PingPolicy.State().json) == PingPolicy.State())
    }

    @Test(arguments: ["", "{}", "[]", #"{"mode":"flying","home":false,"moving":false}"#, #"{"mode":"moving"}"#])
    func `what is not a state is not read as one`(text: String) {
        #expect(PingPolicy.State(json: text.utf8) == nil)
    }
}
