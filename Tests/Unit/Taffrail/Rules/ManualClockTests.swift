import Taffrail
import TaffrailTesting
import Testing

@Suite struct ManualClockTests {
    @Test func `a sleeper wakes when the clock has been moved far enough and not earlier`() async throws {
        let clock = ManualClock(Timestamp(nanoseconds: 5_000_000_000))
        let start = clock.now
        async let woken: ManualClock.Instant = {
            try await clock.sleep(for: .seconds(10))
            return clock.now
        }()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(9))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(try await woken == start.advanced(by: .seconds(10)))
        #expect(clock.nanoseconds == 15_000_000_000)
    }

    @Test func `a time in the past is not waited for`() async throws {
        let clock = ManualClock()
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
    }

    @Test func `a cancelled sleeper wakes with an error`() async throws {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let early = Task { try await clock.sleep(for: .seconds(1)) }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
    }
}
