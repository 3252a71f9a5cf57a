import CTaffrail
import Testing

/// The clock of log calls on a machine whose counter, or whose other clocks, stand still while it is suspended.
struct SuspendedClockTests {
    /// A simulated machine with a counter, on which a program logs every 10 ms.
    private struct Machine {
        private var anchor = taffrail_clock_anchor()
        private var last = taffrail_clock_measurement()
        /// The counter's rate, in ticks per microsecond.
        private let rate: UInt64 = 2993
        private var wall: Int64 = 1_767_225_600_000_000_000
        private var sinceBoot: Int64 = 60_000_000_000
        private var counter: UInt64 = 60_000_000 * 2993
        /// How often the kernel's clock was read, because the counter's was not valid.
        private(set) var kernelReadings = 0

        /// The time of a log call.
        mutating func now() -> Int64 {
            let passed = counter &- anchor.counter
            if passed < anchor.ticks { return anchor.nanoseconds + Int64((passed &* anchor.scale) >> 24) }
            kernelReadings += 1
            _ = taffrail_clock_measure(&anchor, &last, counter, wall, sinceBoot)
            return wall
        }

        /// Runs for a while.
        ///
        /// - Returns: By how much a call's time differed from the true one at most, in nanoseconds.
        mutating func run(seconds: Int) -> Int64 {
            var worst: Int64 = 0
            for _ in 0..<seconds * 100 {
                pass(microseconds: 10_000)
                counter += 10_000 * rate
                worst = max(worst, abs(now() - wall))
            }
            return worst
        }

        private mutating func pass(microseconds: Int64) {
            wall += microseconds * 1000
            sinceBoot += microseconds * 1000
        }

        /// Suspends to RAM or to disk: the counter begins again at 0 when the machine wakes.
        mutating func sleepDeeply(seconds: Int64) {
            pass(microseconds: seconds * 1_000_000)
            counter = 0
        }

        /// Suspends to idle: the counter runs on.
        mutating func sleepLightly(seconds: Int64) {
            pass(microseconds: seconds * 1_000_000)
            counter += UInt64(seconds) * 1_000_000 * rate
        }

        /// Suspends the machine with a stopped counter.
        mutating func sleepWithoutCounter(seconds: Int64) { pass(microseconds: seconds * 1_000_000) }
    }

    /// The tolerance for the times of log calls.
    private let bound: Int64 = 100_000

    @Test func `a counter that runs evenly is read instead of the kernel's clock`() {
        var machine = Machine()
        #expect(machine.run(seconds: 3600) < bound)
        #expect(machine.kernelReadings < 3600 * 10 + 10)
    }

    @Test(arguments: [1, 600, 36_000, 864_000])
    func `after a suspension to RAM or to disk times are correct at once`(seconds: Int64) {
        var machine = Machine()
        for _ in 0..<3 {
            #expect(machine.run(seconds: 600) < bound)
            machine.sleepDeeply(seconds: seconds)
            #expect(machine.run(seconds: 1800) < bound)
        }
        #expect(machine.kernelReadings < 3 * 2400 * 10 + 100)
    }

    @Test(arguments: [1, 600, 36_000, 864_000])
    func `after a suspension to idle times are correct at once`(seconds: Int64) {
        var machine = Machine()
        for _ in 0..<3 {
            #expect(machine.run(seconds: 600) < bound)
            machine.sleepLightly(seconds: seconds)
            #expect(machine.run(seconds: 600) < bound)
        }
        #expect(machine.kernelReadings < 3 * 1200 * 10 + 100)
    }

    @Test(arguments: [1, 600, 36_000, 864_000])
    func `if the counter stopped, times are correct once it has run for 100 ms`(seconds: Int64) {
        var machine = Machine()
        #expect(machine.run(seconds: 600) < bound)
        machine.sleepWithoutCounter(seconds: seconds)
        _ = machine.run(seconds: 1)
        #expect(machine.run(seconds: 600) < bound)
        #expect(machine.kernelReadings < 1201 * 10 + 100)
    }

    @Test func `a program that logged once before the machine was suspended has correct times`() {
        var machine = Machine()
        _ = machine.now()
        machine.sleepDeeply(seconds: 3600)
        #expect(machine.run(seconds: 600) < bound)
        #expect(machine.kernelReadings < 6100)
    }
}
