/// The decision of a ``PingPolicy`` about a fix.
public struct PingDecision: Sendable, Hashable {
    /// The cause of an evaluation.
    public enum Trigger: String, Sendable, Hashable, CaseIterable {
        /// A fix of the running source.
        case fix
        /// A significant change of the position.
        case significantChange = "significant_change"
        /// An arrival or a departure.
        case visit
    }

    /// Why a ping is sent, or not sent.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Sent: nothing has been sent before.
        case first
        /// Sent: the minimum interval and the minimum distance are reached.
        case due
        /// Sent: a ping was requested.
        case requested
        /// Sent: the last ping is repeated, because nothing has been sent for the duration of the heartbeat.
        case heartbeat
        /// Not sent: the minimum interval is not reached.
        case interval
        /// Not sent: the minimum distance is not reached.
        case distance
        /// Not sent: the accuracy of the fix is unknown.
        case noAccuracy = "no_accuracy"
        /// Not sent and not evaluated: the fix is simulated.
        case simulated
        /// Not sent and not evaluated: the fix is up to a minute older than the last one.
        case late
        /// Not sent and not evaluated: the fix has no valid coordinate.
        case invalid
        /// Not evaluated: the fix comes from a receiver other than the one in use.
        case otherReceiver = "other_receiver"
        /// Not evaluated: pings are stopped.
        case stopped
    }

    /// The mode after the fix.
    public var mode: PingMode
    /// The reason.
    public var reason: Reason
    /// The cause of the evaluation.
    public var trigger: Trigger
    /// The position to send; `nil`: none.
    public var ping: Location?
    /// The speed that was used, in metres per second: that of the fix, else an estimate; `nil` if unknown.
    public var speed: Double?
}
