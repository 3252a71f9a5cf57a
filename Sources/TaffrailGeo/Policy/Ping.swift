/// A position in the form in which it is sent to a receiver.
public struct Ping: Sendable, Hashable {
    /// The device's name at the receiver.
    public var deviceID: String
    /// The position, with its own time. Its accuracy is never `nil`.
    public var location: Location
    /// The mode at that time.
    public var mode: PingMode
    /// The battery at that time; `nil`: there is none.
    public var battery: BatteryState?
    /// The cause of the evaluation.
    public var trigger = PingDecision.Trigger.fix
    /// Whether it repeats an earlier ping.
    public var isHeartbeat = false
    /// Why it is sent.
    public var reason = PingDecision.Reason.due

    /// Creates a ping.
    public init(deviceID: String, location: Location, mode: PingMode, battery: BatteryState? = nil) {
        self.deviceID = deviceID
        self.location = location
        self.mode = mode
        self.battery = battery
    }

    /// Creates the ping of a decision.
    ///
    /// - Returns: `nil` if nothing is sent.
    public init?(_ decision: PingDecision, deviceID: String, battery: BatteryState?) {
        guard let location = decision.ping else { return nil }
        self.init(deviceID: deviceID, location: location, mode: decision.mode, battery: battery)
        trigger = decision.trigger
        isHeartbeat = decision.reason == .heartbeat
        reason = decision.reason
    }
}
