package import Taffrail

/// The timer of a replay. Tests use a timer whose time they control.
package protocol ReplayTimer: AnyObject, Sendable {
    /// The monotonic clock, in nanoseconds.
    var uptime: Int64 { get }
    /// The wall clock.
    var wall: Timestamp { get }
    /// Waits until a time of the monotonic clock (`nil`: indefinitely), or until ``wake()`` has been called since the
    /// last wait.
    func wait(until uptime: Int64?)
    /// Ends the current wait, or the next one. Any thread may call.
    func wake()
    /// Whether the waiting thread has a raised priority. Confined to that thread.
    var hasRaisedPriority: Bool { get set }
}
