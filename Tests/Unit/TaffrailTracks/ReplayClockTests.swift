import TaffrailTestSupport
import Testing

@testable import TaffrailTracks

/// When events of a recording with any times are due.
@Suite(.mayBlock) struct ReplayClockTests {
    private static let uptime: Int64 = 1_000_000_000_000

    @Test(arguments: [(5e9, 0, 0), (0, 5e9, .max), (1e300, -1e300, 0), (2, 3, uptime + 1_000_000_000)])
    func `an event is due at a time of the clock`(anchor: Double, time: Double, due: Int64) {
        var clock = ReplayClock(rate: 1)
        clock.jump(to: anchor, at: Self.uptime)
        #expect(clock.due(time) == nil)
        clock.resume(at: Self.uptime)
        #expect(clock.due(time) == due)
    }

    @Test func `an event centuries before the previous one is replayed at once`() throws {
        for startsPaused in [false, true] {
            let (arrivals, player, _) = try Self.replay(startsPaused: startsPaused)
            #expect(arrivals.map(\.index) == [0, 1] && arrivals.map(\.seconds) == [0, 0])
            #expect(player.timing.count == (startsPaused ? 1 : 2))
        }
    }

    /// Replays an event in 2184 and one in 2026; the first as a step, if the replay starts paused.
    private static func replay(
        startsPaused: Bool
    ) throws -> (arrivals: [ReplayPlayerTests.Arrival], player: ReplayPlayer, timer: SteppedTimer) {
        try ReplayPlayerTests.replay(
            2,
            {
                $0.start = startsPaused ? nil : .event(1)
                $0.startsPaused = startsPaused
            }, times: [5e9, 0]
        ) { timer, player in
            guard startsPaused else { return }
            player.step()
            timer.plan(0) { player.play() }
        }
    }
}
