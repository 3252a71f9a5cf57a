import Synchronization
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite struct PingSessionTests {
    private static let start = Timestamp(nanoseconds: 1_767_610_800_000_000_000)

    private static func fix(_ seconds: Double, north: Double = 0, accuracy: Double? = 5) -> Location {
        var fix = Location(
            coordinate: Geodesy.destination(from: DayOfLegs.home, bearing: 0, distance: north),
            timestamp: start + seconds)
        fix.speed = 0
        fix.horizontalAccuracy = accuracy
        return fix
    }

    private static func session(
        _ home: Home = Home(), state: [UInt8]? = nil, _ change: (inout PingPolicyOptions) -> Void = { _ in },
        battery: @escaping @Sendable () -> BatteryState? = { nil }
    ) -> PingSession {
        var options = PingPolicyOptions()
        options.settings.night = nil
        change(&options)
        return PingSession(options, deviceID: "boat", home: home, battery: battery, state: state)
    }

    private static func take(_ session: inout PingSession, _ fix: Location) -> PingDecision.Reason? {
        let ping = session.take(fix, now: fix.timestamp)
        return ping == nil ? nil : session.last?.reason
    }

    @Test func `a stopped session sends nothing and requests no positions, until it is started`() throws {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        #expect(session.demand(at: Self.start)?.accuracy == 100)
        let answer = try session.carryOut(ControlCommand("stop"), now: Self.start + 1)
        #expect(answer["state"] == "stopped" && answer["until"] == nil)
        #expect(session.demand(at: Self.start + 2) == nil)
        #expect(Self.take(&session, Self.fix(1_000, north: 900)) == nil)
        #expect(session.state.counts == [.first: 1])
        #expect(try session.carryOut(ControlCommand("start"), now: Self.start + 1_001)["state"] == "running")
        #expect(Self.take(&session, Self.fix(1_002, north: 900)) == .due)
    }

    @Test func `a session that is stopped for a time starts by itself, also in a later run`() throws {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        let stop = ControlCommand("stop", [LogValueEntry("for", .string("2h"))])
        #expect(try session.carryOut(stop, now: Self.start)["until"] == .string("2026-01-05T13:00:00.000Z"))
        var next = Self.session(state: session.json)
        #expect(Self.take(&next, Self.fix(7_199, north: 900)) == nil)
        #expect(next.demand(at: Self.start + 7_199) == nil && next.demand(at: Self.start + 7_200) != nil)
        #expect(Self.take(&next, Self.fix(7_200, north: 900)) == .due)
        #expect(next.state.stopped == nil)
    }

    @Test func `a requested ping is the next fix with an accuracy, also of a stopped session`() throws {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        _ = try session.carryOut(ControlCommand("ping"))
        #expect(session.demand(at: Self.start)?.interval == .zero)
        #expect(Self.take(&session, Self.fix(1, accuracy: nil)) == nil)
        #expect(Self.take(&session, Self.fix(2)) == .requested)
        #expect(Self.take(&session, Self.fix(3)) == nil)
        session.stop(at: Self.start + 4)
        session.requestPing()
        #expect(session.demand(at: Self.start + 5) != nil)
        #expect(Self.take(&session, Self.fix(6)) == .requested)
        #expect(Self.take(&session, Self.fix(7)) == nil && session.demand(at: Self.start + 8) == nil)
    }

    @Test func `at home a position is requested each wake`() {
        let home = Home()
        home.coordinate = DayOfLegs.home
        var session = Self.session(home)
        #expect(session.demand(at: Self.start)?.interval == .zero)
        _ = session.take(Self.fix(0), now: Self.start)
        let demand = session.demand(at: Self.start)
        #expect(demand?.interval == .seconds(60) && demand?.accuracy == 1_000)
        // A home that is set while it runs counts from the next fix on, and before that of the configuration.
        home.coordinate = nil
        _ = session.take(Self.fix(1), now: Self.start + 1)
        #expect(session.demand(at: Self.start)?.accuracy == 100)
        var configured = Self.session { $0.home = DayOfLegs.home }
        _ = configured.take(Self.fix(0), now: Self.start)
        #expect(configured.policy.mode == .homeOrNight)
    }

    @Test func `the battery is read now and then, and is in the ping`() {
        let readings = Mutex(0)
        var session = Self.session(battery: {
            readings.withLock { $0 += 1 }
            return BatteryState(level: 0.5)
        })
        let ping = session.take(Self.fix(0), now: Self.start)
        #expect(ping?.battery?.level == 0.5 && ping?.deviceID == "boat")
        for second in 1...29 { _ = session.take(Self.fix(Double(second)), now: Self.start + Double(second)) }
        #expect(readings.withLock { $0 } == 1)
        _ = session.take(Self.fix(30), now: Self.start + 30)
        #expect(readings.withLock { $0 } == 2)
    }

    @Test func `a session continues exactly where its state was`() {
        let fixes = DayOfLegs.fixes(from: Self.start, seed: 9)
        let home = Home()
        home.coordinate = DayOfLegs.home
        var whole = Self.session(home) { $0.settings.heartbeat = .hours(1) }
        var parts = whole
        var pings = 0
        for (index, fix) in fixes.enumerated() {
            let ping = whole.take(fix, now: fix.timestamp)
            #expect(ping == parts.take(fix, now: fix.timestamp))
            pings += ping == nil ? 0 : 1
            if index % 211 == 0 { parts = Self.session(home, state: parts.json) { $0.settings.heartbeat = .hours(1) } }
        }
        #expect(pings > 50 && whole.json == parts.json)
        #expect(whole.state.counts.values.reduce(0, +) == fixes.count)
        #expect(Self.session(state: Array("{}".utf8)).json == Self.session().json)
        #expect(Self.session(state: Array("{\"policy\":5,".utf8)).json == Self.session().json)
    }

    @Test func `fixes of one receiver count, until it has had none for a minute`() {
        func fix(_ seconds: Double, of receiver: String) -> Location {
            var fix = Self.fix(seconds)
            fix.extra.device = receiver
            return fix
        }
        var session = Self.session()
        #expect(Self.take(&session, fix(0, of: "a")) == .first)
        for seconds in [1.0, 30, 59] { #expect(Self.take(&session, fix(seconds, of: "b")) == nil) }
        #expect(session.state.counts == [.first: 1] && session.state.receiver == "a")
        _ = Self.take(&session, fix(61, of: "b"))
        #expect(session.state.receiver == "b")
        var next = Self.session(state: session.json)
        _ = Self.take(&next, fix(62, of: "a"))
        #expect(next.state.receiver == "b" && next.state.counts == [.first: 1, .interval: 1])
        var chosen = PingSession(PingPolicyOptions(), deviceID: "boat", receiver: "b", home: Home(), battery: { nil })
        #expect(chosen.take(fix(0, of: "a"), now: Self.start) == nil && chosen.policy.modeSince == nil)
        #expect(chosen.take(fix(1, of: "b"), now: Self.start) != nil)
    }

    @Test func `a position far from the last significant one is a significant change, and a visit evaluates again`() {
        var session = Self.session()
        #expect(session.visit(now: Self.start) == nil)
        #expect(session.take(Self.fix(0), now: Self.start)?.trigger == .fix)
        #expect(session.visit(now: Self.start) == nil && session.last?.trigger == .visit)
        #expect(session.take(Self.fix(400, north: 499), now: Self.start + 400)?.trigger == .fix)
        session = Self.session(state: session.json)
        #expect(session.take(Self.fix(800, north: 600), now: Self.start + 800)?.trigger == .significantChange)
        #expect(session.take(Self.fix(1_200, north: 700), now: Self.start + 1_200)?.trigger == .fix)
    }

    @Test func `a requested ping is still requested in the next run`() {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        session.requestPing()
        var next = Self.session(state: session.json)
        #expect(Self.take(&next, Self.fix(1)) == .requested)
        var last = Self.session(state: next.json)
        #expect(Self.take(&last, Self.fix(2)) == nil)
    }

    @Test func `a heartbeat is sent without fixes, unless it is stopped`() {
        var session = Self.session { $0.settings.heartbeat = .minutes(10) }
        _ = session.take(Self.fix(0), now: Self.start)
        #expect(session.heartbeat(at: Self.start + 599) == nil)
        #expect(session.heartbeat(at: Self.start + 600)?.isHeartbeat == true)
        session.stop(at: Self.start + 601)
        #expect(session.heartbeat(at: Self.start + 6_000) == nil)
    }

    @Test func `the status has what a user asks for`() throws {
        var session = Self.session()
        _ = session.take(Self.fix(0), now: Self.start)
        _ = session.take(Self.fix(10, north: 500), now: Self.start + 10)
        let status = try session.carryOut(
            ControlCommand("status", [LogValueEntry("explain", true)]), now: Self.start + 11)
        let names = status.fields.map(\.key).joined(separator: " ")
        #expect(
            names == "state mode device mode_since last_ping earliest_ping last_decision decisions explanation")
        #expect(status["earliest_ping"] == .string("2026-01-05T11:05:00.000Z"))
        #expect(status["last_decision"] == .string("interval"))
        let decisions = LogValue.map([LogValueEntry("first", .int(1)), LogValueEntry("interval", .int(1))])
        #expect(status["decisions"] == decisions)
        let explanation = "stationaryDay at 0.0 m/s; not sent: 5m since the last ping were not reached"
        #expect(status["explanation"] == .string(explanation))
        for wrong in [
            ControlCommand("fly"), ControlCommand("stop", [LogValueEntry("for", "soon")]),
            ControlCommand("stop", [LogValueEntry("for", 5)]), ControlCommand("ping", [LogValueEntry("now", true)]),
        ] {
            #expect((try? session.carryOut(wrong)) == nil, "\(wrong)")
        }
    }
}
