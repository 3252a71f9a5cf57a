/// The names of the attributes of pings, of the attempts to send them, and of received positions with the state of
/// their device.
package enum PingAttributes {
    /// The name of the device.
    package static let device = "taffrail.ping.device"
    /// The ``PingMode``.
    package static let mode = "taffrail.ping.mode"
    /// The charge level of the battery, 0 to 1.
    package static let battery = "taffrail.ping.battery"
    /// Whether the battery is being charged.
    package static let charging = "taffrail.ping.charging"
    /// The event that caused the ping.
    package static let trigger = "taffrail.ping.trigger"
    /// Whether the ping repeats the last one.
    package static let heartbeat = "taffrail.ping.heartbeat"
    /// The reason why the policy decided to send the ping.
    package static let reason = "taffrail.ping.reason"
    /// The duration of an attempt, in milliseconds.
    package static let latency = "taffrail.ping.latency"
    /// The number of attempts for the same pings.
    package static let attempt = "taffrail.ping.attempt"
    /// The time of the position.
    package static let time = "taffrail.ping.time"
    /// The number of pings that are sent together.
    package static let count = "taffrail.ping.count"
}
