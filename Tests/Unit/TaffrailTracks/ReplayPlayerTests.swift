import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

/// A timer whose time passes only during waits, so that a complete replay runs on the test's thread at once.
final class SteppedTimer: ReplayTimer {
    private struct State {
        var uptime: Int64 = 1_000_000_000_000
        var isWoken = false
        var plans: [(at: Int64, action: @Sendable () -> Void)] = []
        var lateness: Int64 = 0
    }

    static let start: Int64 = 1_000_000_000_000
    static let wallStart = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
    private let state = Locked(State())

    var uptime: Int64 { state.withLock { $0.uptime } }
    var wall: Timestamp { Self.wallStart + .nanoseconds(uptime - Self.start) }
    /// Seconds since the start.
    var seconds: Double { Double(uptime - Self.start) / 1e9 }

    /// Its time is its own.
    var hasRaisedPriority: Bool {
        get { false }
        set {}
    }

    /// Every wait takes so much longer than it should, in nanoseconds.
    func setLateness(_ lateness: Int64) { state.withLock { $0.lateness = lateness } }

    /// Performs an action as soon as a number of seconds has passed.
    func plan(_ seconds: Double, _ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.plans.append((Self.start + Int64((seconds * 1e9).rounded()), action))
            state.plans.sort { $0.at < $1.at }
        }
    }

    func wait(until uptime: Int64?) {
        let action: (@Sendable () -> Void)? = state.withLock { state in
            defer { state.isWoken = false }
            if state.isWoken { return nil }
            if let plan = state.plans.first, plan.at <= uptime ?? .max {
                state.uptime = max(state.uptime, plan.at)
                state.plans.removeFirst()
                return plan.action
            }
            if let uptime { state.uptime = uptime + state.lateness }
            return nil
        }
        action?()
    }

    func wake() { state.withLock { $0.isWoken = true } }
}

@Suite(.mayBlock) struct ReplayPlayerTests {
    /// The events received, and their times.
    struct Arrival: Equatable {
        var seconds: Double
        var event: RecordedEvent
        var index: Int? { event.event.location.map { Int($0.coordinate.latitude.rounded()) } }
        var jump: GeoError.ReplayJump? { event.event.error?.replayJump }
    }

    static let start = SampleDrive.start

    /// Replays some fixes at one a second, with something done in between.
    static func replay(
        _ count: Int = 10, _ change: (inout ReplayOptions) -> Void = { _ in }, limit: Int = 200,
        times: [Double]? = nil,
        plan: (SteppedTimer, ReplayPlayer) -> Void = { _, _ in }
    ) throws -> (arrivals: [Arrival], player: ReplayPlayer, timer: SteppedTimer) {
        let folder = TemporaryDirectory()
        try SampleDrive.write(count, to: folder.file("a.json"), times: { times?[$0] ?? Double($0) })
        var options = ReplayOptions(path: folder.file("a.json"))
        change(&options)
        let timer = SteppedTimer()
        let player = try ReplayPlayer(options, timer: timer)
        plan(timer, player)
        var arrivals: [Arrival] = []
        try player.run { event in
            arrivals.append(Arrival(seconds: timer.seconds, event: event))
            if arrivals.count >= limit { player.stop() }
        }
        return (arrivals, player, timer)
    }

    @Test(arguments: [0.01, 0.5, 1, 10, 10_000])
    func `every event is replayed when it is due, at every rate`(rate: Double) throws {
        let (arrivals, player, _) = try Self.replay { $0.rate = rate }
        #expect(arrivals.map(\.index) == Array(0..<10))
        for (index, arrival) in arrivals.enumerated() { #expect(abs(arrival.seconds - Double(index) / rate) < 1e-8) }
        #expect(arrivals.allSatisfy { $0.event.event.location?.isSimulated == true })
        #expect(player.timing.count == 10 && player.timing.maximum == .zero)
        #expect(player.status.state == .ended && player.status.replayed == 10 && player.status.eventCount == 10)
    }

    @Test func `waits that are too long do not add up`() throws {
        let (arrivals, player, _) = try Self.replay(100) { _ in
        } plan: { timer, _ in
            timer.setLateness(3_000_000)
        }
        #expect(arrivals.count == 100)
        #expect(try abs(#require(arrivals.last).seconds - 99.003) < 1e-6)
        #expect(player.timing.maximum == .milliseconds(3) && player.timing.count == 100)
        #expect(abs(player.timing.quantile(0.99) / .milliseconds(1) - 3) < 0.1)
        #expect(player.timing.description.contains("100 events, late by p50 3.00 ms"))
    }

    @Test func `as fast as possible never waits`() throws {
        let (arrivals, player, timer) = try Self.replay { $0.isAsFastAsPossible = true }
        #expect(arrivals.count == 10 && timer.seconds == 0 && player.timing.count == 0)
    }

    @Test func `a pause stops the track's time, and play continues from there`() throws {
        let (arrivals, _, _) = try Self.replay(5) { _ in
        } plan: { timer, player in
            timer.plan(2.25) { player.pause() }
            timer.plan(10) {
                let status = player.status
                #expect(status.state == .paused && abs(status.time / .seconds(1) - 2.25) < 1e-6 && status.event == 3)
                player.play()
            }
        }
        #expect(arrivals.map(\.seconds) == [0, 1, 2, 10.75, 11.75])
    }

    @Test func `a step replays the next event at once and pauses`() throws {
        let (arrivals, _, _) = try Self.replay(6, { $0.startsPaused = true }) { timer, player in
            timer.plan(3) { player.step() }
            timer.plan(4) { player.step(2) }
            timer.plan(5) { player.play() }
        }
        #expect(arrivals.map(\.seconds) == [3, 4, 4, 6, 7, 8])
        #expect(arrivals.map(\.index) == Array(0..<6))
    }

    @Test func `any number of steps is accepted, again and again`() throws {
        let (arrivals, _, _) = try Self.replay(3, { $0.startsPaused = true }) { _, player in
            player.step(.max)
            player.step(.max)
        }
        #expect(arrivals.map(\.index) == [0, 1, 2] && arrivals.allSatisfy { $0.seconds == 0 })
    }

    @Test func `the rate can change in the middle`() throws {
        let (arrivals, player, _) = try Self.replay(7) { _ in
        } plan: { timer, player in
            timer.plan(2.5) { try? player.setRate(10) }
        }
        let expected = [0, 1, 2, 2.55, 2.65, 2.75, 2.85]
        #expect(zip(arrivals, expected).allSatisfy { abs($0.seconds - $1) < 1e-6 })
        #expect(player.status.rate == 10)
        #expect(throws: OptionError.self) { try player.setRate(0) }
        #expect(throws: OptionError.self) { try player.setRate(.nan) }
        #expect(throws: OptionError.self) { try player.setRate(10_001) }
    }

    @Test func `seeks forward and backward are jumps, and reach the exact point`() throws {
        let (arrivals, _, _) = try Self.replay(10) { _ in
        } plan: { timer, player in
            timer.plan(1.5) { player.seek(to: .elapsed(.seconds(6.5))) }
            timer.plan(2.5) { player.seek(to: .event(3)) }
            timer.plan(4.25) { player.skip(by: .seconds(4)) }
        }
        #expect(arrivals.map(\.index) == [0, 1, nil, 7, nil, 2, 3, nil, 8, 9])
        let expected = [0, 1, 1.5, 2, 2.5, 2.5, 3.5, 4.25, 4.5, 5.5]
        #expect(zip(arrivals, expected).allSatisfy { abs($0.seconds - $1) < 1e-6 }, "\(arrivals.map(\.seconds))")
        #expect(arrivals.compactMap(\.jump) == [.seek, .seek, .seek])
    }

    @Test func `a seek by time of day or by date and time goes there`() throws {
        let ofDay = Duration.nanoseconds(Self.start.nanoseconds % 86_400_000_000_000)
        let (arrivals, _, _) = try Self.replay(10) { _ in
        } plan: { timer, player in
            timer.plan(0.5) { player.seek(to: .timeOfDay(ofDay + .seconds(7))) }
            timer.plan(1.75) { player.seek(to: .time(Self.start + .seconds(9))) }
        }
        #expect(arrivals.map(\.index) == [0, nil, 7, 8, nil, 9])
    }

    @Test func `only the range is replayed, and repeated until it is stopped`() throws {
        let (arrivals, player, _) = try Self.replay(
            10,
            {
                $0.start = .elapsed(.seconds(2))
                $0.end = .event(5)
                $0.loops = true
                $0.rate = 2
            }, limit: 11)
        #expect(arrivals.map(\.index) == [2, 3, 4, nil, 2, 3, 4, nil, 2, 3, 4])
        #expect(arrivals.map(\.jump) == [nil, nil, nil, .loop, nil, nil, nil, .loop, nil, nil, nil])
        let times = arrivals.filter { $0.jump == nil }.map(\.seconds)
        #expect(zip(times, [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]).allSatisfy { abs($0 - $1) < 1e-6 }, "\(times)")
        #expect(player.status.loops == 2)
    }

    @Test func `times are recorded, or monotonic over loops, or now`() throws {
        func times(_ mode: ReplayOptions.TimeMode) throws -> [Double] {
            try Self.replay(
                3,
                {
                    $0.loops = true
                    $0.timeMode = mode
                    $0.rate = 2
                }, limit: 7
            ).arrivals.compactMap { $0.event.event.location?.timestamp.seconds(since: Self.start) }
        }
        #expect(try times(.recorded) == [0, 1, 2, 0, 1, 2])
        #expect(try times(.monotonic) == [0, 1, 2, 3, 4, 5])
        let offset = SteppedTimer.wallStart.seconds(since: Self.start)
        let now = try times(.now).map { $0 - offset }
        #expect(zip(now, [0, 0.5, 1, 1.5, 2, 2.5]).allSatisfy { abs($0 - $1) < 1e-6 }, "\(now)")
    }

    @Test func `a damaged file is replayed up to the damage`() throws {
        let folder = TemporaryDirectory()
        try SampleDrive.write(10, to: folder.file("a.json"))
        var text = String(decoding: try folder.bytes("a.json"), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        text = lines[..<6].joined(separator: "\n") + "{\"type\":\"loc"
        try folder.write(text, to: "b.json")
        let player = try ReplayPlayer(ReplayOptions(path: folder.file("b.json")), timer: SteppedTimer())
        var count = 0
        let error = #expect(throws: RecordingError.self) { try player.run { _ in count += 1 } }
        #expect(count == 5 && error?.kind == .malformed && error?.line == 6 && player.failure == error)
    }

    @Test func `a missing file fails at once, and an empty one ends at once`() throws {
        let folder = TemporaryDirectory()
        let player = try ReplayPlayer(ReplayOptions(path: folder.file("none.json")), timer: SteppedTimer())
        #expect(throws: RecordingError.self) { try player.run { _ in } }
        #expect(player.failure?.kind == .missing)
        let (arrivals, _, _) = try Self.replay(0) { $0.loops = true }
        #expect(arrivals.isEmpty)
        #expect(throws: OptionError.self) { try ReplayPlayer(ReplayOptions(path: "-", loops: true)) }
        #expect(throws: OptionError.self) { try ReplayPlayer(ReplayOptions(path: "a", rate: 0.001)) }
    }

    @Test func `recorded log records and errors are read back`() throws {
        let folder = TemporaryDirectory()
        let writer = TrackFormat.json.writer(try TextOutput(path: folder.file("a.json")))
        try writer.begin(nil, name: "")
        let record = LogRecord(timestamp: Self.start, level: .warning, message: "bridge ahead", logger: "helm")
        let events: [GeoEvent] = [.log(record), .error(.denied()), .log(record)]
        for (index, event) in events.enumerated() {
            try writer.append(RecordedEvent(timestamp: Self.start, relativeTime: Double(index), event: event))
        }
        try writer.finish()
        let player = try ReplayPlayer(ReplayOptions(path: folder.file("a.json")), timer: SteppedTimer())
        var replayed: [GeoEvent] = []
        try player.run { replayed.append($0.event) }
        #expect(replayed == events)
    }

    @Test(arguments: [
        ("90", ReplayPoint.elapsed(.seconds(90))), ("1m30s", .elapsed(.seconds(90))),
        ("0.5", .elapsed(.milliseconds(500))), ("#12", .event(12)), ("14:30", .timeOfDay(.seconds(52_200))),
        ("14:30:05.5", .timeOfDay(.milliseconds(52_205_500))),
        ("1970-01-01T00:00:02Z", .time(Timestamp(nanoseconds: 2_000_000_000))),
    ])
    func `a point in a track is parsed`(text: String, point: ReplayPoint) { #expect(ReplayPoint(text) == point) }

    @Test(arguments: ["", "-1", "#0", "#x", "25:00", "1:2:3:4", "noon", "12:60", "nan"])
    func `an invalid point of a track is refused`(text: String) { #expect(ReplayPoint(text) == nil) }

    @Test func `the system's timer waits until its deadline, or until it is woken`() {
        let timer = MonotonicTimer()
        let start = timer.uptime
        timer.wait(until: start + 20_000_000)
        #expect(timer.uptime >= start + 20_000_000)
        timer.wake()
        timer.wait(until: nil)
        timer.wait(until: start)
    }

    @Test func `shares of delays are found to three percent`() {
        var timing = ReplayTiming()
        for delay in 1...100_000 { timing.add(.microseconds(delay)) }
        for share in [0.01, 0.5, 0.9, 0.99, 0.999] {
            #expect(abs(timing.quantile(share) / .milliseconds(share * 100) - 1) < 0.04, "\(share)")
        }
        #expect(timing.quantile(1) == .milliseconds(100) && timing.count == 100_000)
    }
}
