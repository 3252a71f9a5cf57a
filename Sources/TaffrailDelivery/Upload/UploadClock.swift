internal import Taffrail

/// The clocks of an upload, in nanoseconds.
package struct UploadClock: Sendable {
    /// Since 1970.
    package var wall: @Sendable () -> Int64
    package var monotonic: @Sendable () -> Int64

    package init(
        wall: @escaping @Sendable () -> Int64 = { SystemClock.wallNanoseconds() },
        monotonic: @escaping @Sendable () -> Int64 = { SystemClock.monotonicNanoseconds() }
    ) {
        self.wall = wall
        self.monotonic = monotonic
    }
}
