import Synchronization
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite struct PingSessionTests {
    private static let start = Timestamp(nanoseconds: 1_767_610_800_000_000_000)

    /// The time some seconds after the start.
    private static func at(_ seconds: Double) -> Timestamp { start + .seconds(seconds) }

    private static func fix(_ seconds: Double, north: Double = 0, accuracy: Double? = 5) -> Location {
        var fix = Location(
            coordinate: Geodesy.destination(from: DayOfLegs.home, bearing: 0, distance: north), timestamp: at(seconds))
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
        let answer = try session.execute(ControlCommand("stop"), now: Self.at(1))
        #expect(answer["state"] == "stopped" && answer["until"] == nil)
        #expect(session.demand(at: Self.at(2)) == nil)
        #expect(Self.take(&session, Self.fix(1_000, north: 900)) == nil)
        #expect(session.state.counts == [.first: 1, .stopped: 1] && session.last?.reason == .stopped)
        #expect(try session.execute(ControlCommand("start"), now: Self.at(1_001))["state"] == "running")
        #expect(Self.take(&session, Self.fix(1_002, north: 900)) == .due)
    }

    @Test func `a session that is stopped for a time starts by itself, also in a later run`() throws {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        let stop = ControlCommand("stop", [LogValueEntry("for", .string("2h"))])
        #expect(try session.execute(stop, now: Self.start)["until"] == .string("2026-01-05T13:00:00.000Z"))
        var next = Self.session(state: session.json)
        #expect(Self.take(&next, Self.fix(7_199, north: 900)) == nil)
        #expect(next.demand(at: Self.at(7_199)) == nil && next.demand(at: Self.at(7_200)) != nil)
        #expect(Self.take(&next, Self.fix(7_200, north: 900)) == .due)
        next.review(at: Self.at(7_201))
        #expect(next.state.pauses.end == nil && next.isRunning(at: Self.at(7_201)))
    }

    @Test func `a requested ping is the next fix with an accuracy, also of a stopped session`() throws {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        _ = try session.execute(ControlCommand("ping"), now: Self.start)
        #expect(session.demand(at: Self.start)?.interval == .zero)
        #expect(Self.take(&session, Self.fix(1, accuracy: nil)) == nil)
        #expect(Self.take(&session, Self.fix(2)) == .requested)
        #expect(Self.take(&session, Self.fix(3)) == nil)
        session.stop(at: Self.at(4))
        session.requestPing(at: Self.at(4))
        #expect(session.demand(at: Self.at(5)) != nil)
        #expect(Self.take(&session, Self.fix(6)) == .requested)
        #expect(Self.take(&session, Self.fix(7)) == nil && session.demand(at: Self.at(8)) == nil)
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
        _ = session.take(Self.fix(1), now: Self.at(1))
        #expect(session.demand(at: Self.start)?.accuracy == 100)
        var configured = Self.session { $0.home = DayOfLegs.home }
        _ = configured.take(Self.fix(0), now: Self.start)
        #expect(configured.policy.mode == .homeOrNight)
    }

    @Test func `what was logged while it was stopped is not sent, and what was logged before is, whenever it is taken`()
    {
        var session = Self.session()
        session.stop(at: Self.at(3_600))
        // The queue had to hold it.
        #expect(Self.take(&session, Self.fix(1_800)) == .first)
        #expect(Self.take(&session, Self.fix(3_600, north: 900)) == nil)
        session = Self.session(state: session.json)
        session.start(at: Self.at(7_200))
        #expect(Self.take(&session, Self.fix(7_199, north: 1_900)) == nil)
        session = Self.session(state: session.json)
        #expect(Self.take(&session, Self.fix(7_100, north: 1_900)) == nil)
        #expect(Self.take(&session, Self.fix(7_200, north: 2_900)) == .due)
        #expect(session.state.counts == [.first: 1, .stopped: 3, .due: 1])
        // A second stop does not make one forget the first.
        session.stop(for: .minutes(10), at: Self.at(8_000))
        session.start(at: Self.at(8_100))
        #expect(!session.isRunning(at: Self.at(7_000)) && !session.isRunning(at: Self.at(8_050)))
        #expect(session.isRunning(at: Self.at(8_100)) && session.isRunning(at: Self.at(7_500)))
    }

    @Test func `a clock that is set back neither ends a stop nor prolongs it for years`() {
        let boot = Timestamp(nanoseconds: 100_000_000_000)
        var session = Self.session()
        session.stop(for: .hours(2), at: Self.start)
        // A device without a clock begins in 1970.
        session.review(at: boot)
        #expect(!session.isRunning(at: boot) && session.isRunning(at: boot + .seconds(7_200)))
        session.review(at: boot + .seconds(7_200))
        #expect(session.demand(at: boot + .seconds(7_201)) != nil)
        session.stop(at: Self.start)
        session = Self.session(state: session.json)
        session.review(at: boot)
        #expect(!session.isRunning(at: boot) && !session.isRunning(at: Self.at(1e6)))
        // One that has been ended stays ended.
        session.start(at: Self.at(10))
        session.review(at: boot)
        #expect(session.isRunning(at: boot) && session.isRunning(at: Self.start))
        session.requestPing(at: Self.start)
        session.review(at: boot)
        #expect(session.state.isRequested(at: boot) && !session.state.isRequested(at: boot + .seconds(120)))
    }

    @Test func `what is logged between the clock's step and the look at it is as stopped as what follows`() {
        let back = -3_600.0
        var session = Self.session()
        session.stop(at: Self.start)
        // The clock was set back by an hour, which is seen three seconds later.
        session.review(at: Self.at(back + 3))
        #expect(Self.take(&session, Self.fix(back + 1)) == nil && session.last?.reason == .stopped)
        session.start(at: Self.at(back + 60))
        #expect(Self.take(&session, Self.fix(back + 61)) == .first)
        // A stop that has ended does not hide what follows.
        var other = Self.session()
        other.stop(at: Self.at(-7_200))
        other.start(at: Self.start)
        other.review(at: Self.at(back + 3))
        #expect(Self.take(&other, Self.fix(back + 1)) == .first)
    }

    @Test func `a request is answered by a fix of its time, however late that is taken`() {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        session.requestPing(at: Self.at(10))
        session = Self.session(state: session.json)
        // After a kill and three minutes the queue has what was logged before.
        session.review(at: Self.at(200))
        #expect(Self.take(&session, Self.fix(12)) == .requested && session.state.requested == nil)
        session.requestPing(at: Self.at(300))
        #expect(Self.take(&session, Self.fix(420)) == nil && session.state.requested == nil)
    }

    @Test func `a requested ping expires, and a stopped session repeats none for it`() {
        var session = Self.session { $0.settings.heartbeat = .minutes(10) }
        #expect(Self.take(&session, Self.fix(0)) == .first)
        session.stop(at: Self.at(1))
        session.requestPing(at: Self.at(700))
        #expect(Self.take(&session, Self.fix(701, accuracy: nil)) == nil)
        #expect(Self.take(&session, Self.fix(702, accuracy: -1)) == nil)
        #expect(session.last?.reason == .noAccuracy)
        #expect(session.demand(at: Self.at(819)) != nil && session.demand(at: Self.at(820)) == nil)
        #expect(Self.take(&session, Self.fix(820)) == nil && session.last?.reason == .stopped)
        session.review(at: Self.at(820))
        #expect(session.state.requested == nil)
    }

    @Test func `receivers with different calendars do not alternate`() {
        var session = Self.session()
        var pings = 0
        for second in 0..<600 {
            let now = Self.at(Double(second))
            var real = Self.fix(Double(second), north: 30 * Double(second))
            (real.speed, real.extra.device) = (30, "/dev/gps")
            var replayed = real
            replayed.timestamp = real.timestamp - .seconds(70_000_000)
            replayed.extra.device = "replay"
            pings += session.take(real, now: now) == nil ? 0 : 1
            #expect(session.take(replayed, now: now) == nil)
        }
        #expect(pings == 40 && session.state.receiver.used == "/dev/gps")
        #expect(session.state.counts[.otherReceiver] == 600)
    }

    @Test func `a receiver that is opened each wake is not replaced between`() {
        func fix(_ seconds: Double, of receiver: String) -> Location {
            var fix = Self.fix(seconds)
            fix.extra.device = receiver
            return fix
        }
        var session = Self.session { $0.settings.wake = .minutes(5) }
        #expect(Self.take(&session, fix(0, of: "a")) == .first)
        for seconds in [301.0, 500, 600] { #expect(Self.take(&session, fix(seconds, of: "b")) == nil) }
        #expect(session.state.receiver.used == "a")
        #expect(Self.take(&session, fix(601, of: "b")) == nil && session.state.receiver.used == "b")
        // Simulated fixes that do not count keep no receiver from being used.
        session = Self.session { $0.settings.simulated = false }
        #expect(Self.take(&session, fix(0, of: "simulated").simulated()) == nil)
        #expect(Self.take(&session, fix(1, of: "a")) == .first)
    }

    @Test func `a long name of a receiver does not make the state long`() {
        var session = Self.session()
        var fix = Self.fix(0)
        fix.extra.device = String(repeating: "\u{1}", count: 100_000)
        #expect(session.take(fix, now: Self.start) != nil)
        #expect(session.json.count < 8_192)
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

    @Test func `fixes of one receiver count, until it has had none for two minutes`() {
        func fix(_ seconds: Double, of receiver: String) -> Location {
            var fix = Self.fix(seconds)
            fix.extra.device = receiver
            return fix
        }
        var session = Self.session()
        #expect(Self.take(&session, fix(0, of: "a")) == .first)
        for seconds in [1.0, 30, 59] { #expect(Self.take(&session, fix(seconds, of: "b")) == nil) }
        #expect(session.state.counts == [.first: 1, .otherReceiver: 3] && session.state.receiver.used == "a")
        #expect(session.last?.reason == .first)
        _ = Self.take(&session, fix(121, of: "b"))
        #expect(session.state.receiver.used == "b")
        var next = Self.session(state: session.json)
        _ = Self.take(&next, fix(122, of: "a"))
        #expect(next.state.receiver.used == "b")
        #expect(next.state.counts == [.first: 1, .otherReceiver: 4, .interval: 1])
        var chosen = PingSession(PingPolicyOptions(), deviceID: "boat", receiver: "b", home: Home(), battery: { nil })
        #expect(chosen.take(fix(0, of: "a"), now: Self.start) == nil && chosen.policy.modeSince == nil)
        // A name that is misspelt is explained.
        #expect(chosen.last?.reason == .otherReceiver)
        #expect(chosen.take(fix(1, of: "b"), now: Self.start) != nil)
    }

    @Test
    func
        `a position far from the last significant one is a significant change, and a visit is evaluated where it is new`()
    {
        var session = Self.session()
        #expect(session.take(Self.fix(0), now: Self.start)?.trigger == .fix)
        // The fixes that it was found by have been evaluated; a ping that was requested waits for the next.
        session.requestPing(at: Self.start)
        #expect(session.visit(Self.fix(0, north: 900), now: Self.at(1)) == nil)
        #expect(session.visit(Self.fix(1), now: Self.at(1)) == nil && session.last?.reason == .interval)
        #expect(session.take(Self.fix(2), now: Self.at(2))?.reason == .requested)
        #expect(session.visit(Self.fix(350, north: 300), now: Self.at(350))?.trigger == .visit)
        #expect(session.take(Self.fix(700, north: 499), now: Self.at(700))?.trigger == .fix)
        session = Self.session(state: session.json)
        #expect(session.take(Self.fix(1_100, north: 600), now: Self.at(1_100))?.trigger == .significantChange)
        #expect(session.take(Self.fix(1_500, north: 700), now: Self.at(1_500))?.trigger == .fix)
    }

    @Test func `a requested ping is still requested in the next run`() {
        var session = Self.session()
        #expect(Self.take(&session, Self.fix(0)) == .first)
        session.requestPing(at: Self.start)
        var next = Self.session(state: session.json)
        #expect(Self.take(&next, Self.fix(1)) == .requested)
        var last = Self.session(state: next.json)
        #expect(Self.take(&last, Self.fix(2)) == nil)
    }

    @Test func `a heartbeat is sent without fixes, unless it is stopped`() {
        var session = Self.session { $0.settings.heartbeat = .minutes(10) }
        _ = session.take(Self.fix(0), now: Self.start)
        #expect(session.heartbeat(at: Self.at(599), now: Self.at(599)) == nil)
        #expect(session.heartbeat(at: Self.at(600), now: Self.at(600))?.isHeartbeat == true)
        session.stop(at: Self.at(601))
        #expect(session.heartbeat(at: Self.at(6_000), now: Self.at(6_000)) == nil)
    }

    @Test func `the status has what a user asks for`() throws {
        var session = Self.session()
        _ = session.take(Self.fix(0), now: Self.start)
        _ = session.take(Self.fix(10, north: 500), now: Self.at(10))
        let status = try session.execute(
            ControlCommand("status", [LogValueEntry("explain", true)]), now: Self.at(11))
        let names = status.fields.map(\.key).joined(separator: " ")
        #expect(
            names == "state mode device mode_since last_ping earliest_ping last_decision decisions explanation")
        #expect(status["earliest_ping"] == .string("2026-01-05T11:05:00.000Z"))
        #expect(status["last_decision"] == .string("interval"))
        let decisions = LogValue.map([LogValueEntry("first", .int(1)), LogValueEntry("interval", .int(1))])
        #expect(status["decisions"] == decisions)
        let explanation = "stationaryDay at 0.0 m/s; not sent: less than 5m since the last ping"
        #expect(status["explanation"] == .string(explanation))
        // Also in the next run.
        let next = Self.session(state: session.json).status(at: Self.at(12), explains: true)
        #expect(next == status.fields)
        for wrong in [
            ControlCommand("fly"), ControlCommand("stop", [LogValueEntry("for", "soon")]),
            ControlCommand("stop", [LogValueEntry("for", 5)]), ControlCommand("ping", [LogValueEntry("now", true)]),
        ] {
            #expect((try? session.execute(wrong)) == nil, "\(wrong)")
        }
    }
}
