#if HTTP
internal import Taffrail
internal import TaffrailGeo

/// The state of the battery when it was last read. Some drivers query the hardware, and some hang, so the writer thread
/// does not wait for them. May be used on any thread.
final class BatteryCache: Sendable {
    private let read: @Sendable () -> BatteryState?
    private let last = Locked<(state: BatteryState?, time: Int64)?>(nil)
    /// The age after which the state is read again.
    private static let age = Duration.seconds(30)

    init(_ read: @escaping @Sendable () -> BatteryState?) { self.read = read }

    /// The state; `nil`: there is no battery, or it has not been read.
    var state: BatteryState? { last.withLock { $0?.state } }

    /// Reads the battery unless the last state is recent. May take long.
    ///
    /// - Parameter now: The monotonic clock.
    func refresh(now: Int64 = SystemClock.monotonicNanoseconds()) {
        if let time = last.withLock({ $0?.time }), now - time < Self.age.nanoseconds { return }
        let state = read()
        last.withLock { $0 = (state, now) }
    }
}
#endif
