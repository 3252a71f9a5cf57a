internal import Glibc

/// The system's clocks, in nanoseconds.
@usableFromInline
package enum SystemClock {
    /// Returns the wall time since 1970, which may be set forwards and backwards.
    @usableFromInline
    package static func wallNanoseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// Returns the monotonic time from an arbitrary start.
    @inline(never)
    package static func monotonicNanoseconds() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Returns the monotonic time at which a duration from now is over, clamped to its range.
    package static func monotonicNanoseconds(after duration: Duration) -> Int64 {
        monotonicNanoseconds().addingClamped(duration.nanoseconds)
    }

    /// Sleeps on this thread; a signal may end the sleep early.
    package static func sleep(for duration: Duration) {
        let nanoseconds = duration.nanoseconds
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        nanosleep(&time, nil)
    }

    @inline(__always)
    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
