#if HTTP
import Foundation
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import Taffrail
@testable import TaffrailAdaptivePinger
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailText

/// Stops, requests, heartbeats, visits, the home and the demand of positions.
@Suite(.mayBlock) struct AdaptivePingerControlTests {
    private typealias Trial = PingerTrial

    @Test func `the home of an earlier run counts at once, and a change from the next fix on`() throws {
        let trial = try Trial()
        try HomeFile(in: trial.folder.file(".taffrail")).store(DayOfLegs.home)
        try trial.restart()
        #expect(trial.home.coordinate == DayOfLegs.home)
        try trial.take(Trial.fix(0))
        #expect(try trial.ask("status")["mode"] == "homeOrNight")
        trial.home.coordinate = nil
        try trial.take(Trial.fix(1))
        #expect(try trial.ask("status")["mode"] == "stationaryDay")
    }

    @Test func `a stop and a requested ping are kept for the next run`() async throws {
        let trial = try Trial()
        try trial.take(Trial.fix(0))
        // What is on its way when the run ends is sent again by the next one.
        #expect(await eventually { (try? trial.waiting().isEmpty) == true })
        #expect(try trial.ask("stop")["state"] == "stopped")
        #expect(trial.feed.demand.listeners == 0)
        try trial.restart()
        #expect(trial.feed.demand.listeners == 0)
        try trial.take(Trial.fix(1_000, north: 900))
        #expect(try trial.ask("ping")["state"] == "stopped")
        #expect(trial.feed.demand.listeners == 1 && trial.feed.demand.interval == .zero)
        try trial.restart()
        #expect(trial.feed.demand.listeners == 1)
        try trial.take(Trial.fix(1_001, north: 901))
        #expect(await eventually { trial.times.last == "2026-01-05T11:16:41Z" })
        #expect(trial.feed.demand.listeners == 0)
        #expect(try trial.ask("start")["state"] == "running")
        try trial.take(Trial.fix(1_400, north: 1_900))
        #expect(await eventually { trial.times.last == "2026-01-05T11:23:20Z" })
        let status = try trial.ask("status", LogValueEntry("explain", true))
        #expect(status["last_decision"] == "due" && status["explanation"] != nil && status["earliest_ping"] != nil)
        #expect((try? trial.ask("fly")) == nil)
    }

    @Test func `what is requested of the source follows the mode`() throws {
        let trial = try Trial()
        trial.home.coordinate = DayOfLegs.home
        #expect(trial.feed.demand.listeners == 1)
        try trial.take(Trial.fix(0, speed: 4))
        #expect(trial.feed.demand.accuracy == -1 && trial.feed.demand.interval == .zero)
        #expect(trial.feed.demand.distance == 10)
        try trial.take(Trial.fix(1), Trial.fix(62))
        #expect(trial.feed.demand.accuracy == 1_000 && trial.feed.demand.interval == .seconds(60))
        #expect(trial.feed.demand.distance == 50)
        try trial.take(Trial.fix(63, north: 500), Trial.fix(64, north: 500))
        #expect(trial.feed.demand.accuracy == 100 && trial.feed.demand.interval == .zero)
        // A recorder wants every fix.
        var recorder: LocationFeed.Subscription? = trial.feed.subscribe(accuracy: -1)
        #expect(trial.feed.demand.distance == 0)
        try trial.take(Trial.fix(65), Trial.fix(130))
        #expect(trial.feed.demand.accuracy == -1 && trial.feed.demand.interval == .zero)
        recorder = nil
        try trial.restart {
            $0.policy.settings.wake = .minutes(5)
            $0.policy.settings.homeRadius = 10_000
        }
        try trial.take(Trial.fix(200), Trial.fix(300))
        #expect(recorder == nil && trial.feed.demand.listeners == 1 && trial.feed.demand.interval == .seconds(300))
    }

    @Test func `what reacts to a demand may stop the pinger, which is the last demand`() throws {
        let trial = try Trial()
        let isAsked = Locked(false)
        let pinger = trial.sink.pinger
        let listener = trial.feed.subscribe(demand: { demand in
            guard demand.listeners > 0,
                !isAsked.withLock({ was in
                    defer { was = true }
                    return was
                })
            else { return }
            _ = try? pinger.execute(ControlCommand("stop"))
        })
        trial.home.coordinate = DayOfLegs.home
        try trial.take(Trial.fix(0))
        #expect(isAsked.withLock { $0 } && trial.feed.demand.listeners == 0)
        withExtendedLifetime(listener) {}
    }

    @Test func `what was logged while it was stopped is not sent, whenever the queue offers it`() async throws {
        let trial = try Trial()
        try trial.take(Trial.fix(0))
        trial.machine.time.withLock { $0 = Trial.start + .seconds(1_000) }
        _ = try trial.ask("stop")
        trial.machine.time.withLock { $0 = Trial.start + .seconds(2_000) }
        _ = try trial.ask("start")
        // The disk was full until now.
        try trial.take(
            Trial.fix(900, north: 900), Trial.fix(1_500, north: 1_900), Trial.fix(2_400, north: 2_900))
        #expect(await eventually { trial.times.count == 3 })
        #expect(trial.times == ["2026-01-05T11:00:00Z", "2026-01-05T11:15:00Z", "2026-01-05T11:40:00Z"])
        #expect(
            try trial.ask("status")["decisions"]
                == .map([LogValueEntry("due", 2), LogValueEntry("first", 1), LogValueEntry("stopped", 1)]))
    }

    @Test func `fixes that do not count delay no heartbeat`() async throws {
        let trial = try Trial {
            $0.policy.settings.heartbeat = .minutes(10)
            $0.receiver = "a"
        }
        var (mine, other) = (Trial.fix(0), Trial.fix(0))
        (mine.extra.device, other.extra.device) = ("a", "b")
        try trial.take(mine)
        // The other one has a fix each second.
        for second in 1...601 {
            trial.machine.advance(1)
            other.timestamp = Trial.start + .seconds(second)
            try trial.take(other)
            if second % 100 == 1 { trial.sink.pinger.tick() }
        }
        #expect(await eventually { trial.times.count == 2 })
        #expect(Set(trial.times) == ["2026-01-05T11:00:00Z"])
    }

    @Test func `a spool that is in use at first is opened later, and requests no positions before`() async throws {
        let trial = try Trial()
        try trial.take(Trial.fix(0))
        #expect(await eventually { trial.times.count == 1 })
        trial.server.reply { _ in .answer(503) }
        try trial.take(Trial.fix(400, north: 900))
        _ = try trial.ask("stop")
        try trial.sink.close()
        let other = Spool(SpoolOptions(directory: trial.spool))
        try other.open()
        try trial.restart()
        #expect(trial.feed.demand.listeners == 0)
        trial.server.reply { _ in .answer(200) }
        other.close()
        // Without a position: what waits is sent, and it is still stopped.
        trial.sink.pinger.tick()
        #expect(await eventually { trial.times.last == "2026-01-05T11:06:40Z" })
        #expect(try trial.ask("status")["state"] == "stopped" && trial.feed.demand.listeners == 0)
    }

    @Test
    func `a heartbeat repeats the last ping where there are no fixes, also in the next run, unless it is stopped`()
        async throws
    {
        let trial = try Trial { $0.policy.settings.heartbeat = .minutes(10) }
        try trial.take(Trial.fix(0))
        func beat(after seconds: Double, _ count: Int) async {
            trial.machine.advance(seconds)
            trial.sink.pinger.tick()
            #expect(await eventually { (try? SpoolInspection(trial.spool).summary().records) == 0 })
            #expect(trial.times.count == count)
        }
        await beat(after: 599, 1)
        await beat(after: 1, 2)
        await beat(after: 599, 2)
        await beat(after: 1, 3)
        try trial.restart()
        await beat(after: 0, 3)
        await beat(after: 600, 4)
        #expect(Set(trial.times) == ["2026-01-05T11:00:00Z"])
        // Each is a message of its own.
        #expect(Set(trial.server.requests.map(\.key)).count == 4)
        _ = try trial.ask("stop")
        await beat(after: 6_000, 4)
        _ = try trial.ask("ping")
        try trial.take(Trial.fix(7_850, accuracy: nil))
        await beat(after: 1, 4)
        try trial.restart()
        await beat(after: 6_000, 4)
    }

    @Test
    func `a visit is evaluated where it is newer than the fixes, and a position far away is a significant change`()
        async throws
    {
        let trial = try Trial { $0.dialect = .owntracks }
        try trial.take(Trial.fix(0))
        func visit(_ seconds: Double, north: Double) throws {
            let place = Trial.fix(0, north: north).coordinate
            try trial.write([
                LogRecord(
                    timestamp: Trial.start + .seconds(seconds), level: .info, message: "arrived",
                    eventName: "geo.visit",
                    attributes: [
                        LogValueEntry(GeoAttributes.latitude, .double(place.latitude)),
                        LogValueEntry(GeoAttributes.longitude, .double(place.longitude)),
                        LogValueEntry("taffrail.geo.horizontal_accuracy", .double(20)),
                        LogValueEntry("taffrail.geo.arrival", .date(Trial.start + .seconds(seconds))),
                    ])
            ])
        }
        // It was found by that fix.
        try visit(-300, north: 900)
        #expect(try trial.ask("status")["decisions"] == .map([LogValueEntry("first", 1)]))
        try visit(10, north: 900)
        #expect(
            try trial.ask("status")["decisions"] == .map([LogValueEntry("first", 1), LogValueEntry("interval", 1)]))
        try trial.take(Trial.fix(400, north: 600))
        #expect(await eventually { trial.server.requests.count == 2 })
        #expect(trial.pings.map { $0["_type"] as? String } == ["location", "location"])
        #expect(trial.server.requests[0].headers["x-limit-d"] == "boat")
    }
}
#endif
