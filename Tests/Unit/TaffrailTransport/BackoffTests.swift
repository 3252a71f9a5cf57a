import TaffrailTestSupport
import Testing

@testable import TaffrailTransport

@Suite struct BackoffTests {
    @Test func `the delay doubles up to the longest, and each is between half and all of it`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var backoff = Backoff(first: .nanoseconds(1_000), longest: .nanoseconds(30_000))
            for due in [1, 2, 4, 8, 16, 30, 30, 30].map({ Duration.microseconds($0) }) {
                let wait = backoff.delay(using: &generator)
                #expect((due / 2...due).contains(wait))
            }
        }
    }

    @Test func `programs that fail together do not reconnect together`() {
        var generator = SeededGenerator(seed: 6)
        let waits = (0..<1_000).map { _ in
            var backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(30))
            return backoff.delay(using: &generator)
        }
        // All of the half is used, and evenly: a quarter of the waits in each quarter of it.
        for quarter in 0..<4 {
            let range = Duration.microseconds(500 + quarter * 125)...Duration.microseconds(500 + (quarter + 1) * 125)
            #expect((150...350).contains(waits.count { range.contains($0) }))
        }
    }

    @Test func `a success resets the delay`() {
        var generator = SeededGenerator(seed: 7)
        var backoff = Backoff(first: .nanoseconds(1_000), longest: .nanoseconds(30_000))
        for _ in 0..<10 { _ = backoff.delay(using: &generator) }
        backoff.reset()
        let waits = [backoff.delay(using: &generator), backoff.delay(using: &generator)]
        #expect(
            (Duration.nanoseconds(500) ... .nanoseconds(1_000)).contains(waits[0])
                && (Duration.nanoseconds(1_000) ... .nanoseconds(2_000)).contains(waits[1]))
    }

    @Test func `by itself it begins with a quarter of a second and ends with half a minute`() {
        var backoff = Backoff()
        let waits = (0..<20).map { _ in backoff.delay() }
        #expect((Duration.milliseconds(125) ... .milliseconds(250)).contains(waits[0]))
        #expect((Duration.seconds(15) ... .seconds(30)).contains(waits[19]))
    }
}
