import TaffrailTestSupport
import Testing

@testable import TaffrailTransport

@Suite struct BackoffTests {
    @Test func `the delay doubles up to the longest, and each is between half and all of it`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var backoff = Backoff(first: 1_000, longest: 30_000)
            for due in [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000] as [Int64] {
                let wait = backoff.delay(using: &generator)
                #expect((due / 2...due).contains(wait))
            }
        }
    }

    @Test func `programs that fail together do not reconnect together`() {
        var generator = SeededGenerator(seed: 6)
        let waits = (0..<1_000).map { _ in
            var backoff = Backoff(first: 1_000_000, longest: 30_000_000)
            return backoff.delay(using: &generator)
        }
        // All of the half is used, and evenly: a quarter of the waits in each quarter of it.
        for quarter in 0..<4 {
            let range = Int64(500_000 + quarter * 125_000)...Int64(500_000 + (quarter + 1) * 125_000)
            #expect((150...350).contains(waits.count { range.contains($0) }))
        }
    }

    @Test func `a success resets the delay`() {
        var generator = SeededGenerator(seed: 7)
        var backoff = Backoff(first: 1_000, longest: 30_000)
        for _ in 0..<10 { _ = backoff.delay(using: &generator) }
        backoff.reset()
        let waits = [backoff.delay(using: &generator), backoff.delay(using: &generator)]
        #expect((500...1_000).contains(waits[0]) && (1_000...2_000).contains(waits[1]))
    }

    @Test func `by itself it begins with a quarter of a second and ends with half a minute`() {
        var backoff = Backoff()
        let waits = (0..<20).map { _ in backoff.delay() }
        #expect((125_000_000...250_000_000).contains(waits[0]))
        #expect((15_000_000_000...30_000_000_000).contains(waits[19]))
    }
}
