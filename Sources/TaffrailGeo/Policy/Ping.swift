internal import Taffrail
internal import TaffrailText

/// A position in the form in which it is sent to a receiver.
public struct Ping: Sendable, Hashable {
    /// The device's name at the receiver.
    public var deviceID: String
    /// The position, with its own time. Its accuracy is known.
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

/// How pings are written for a kind of receiver.
public enum PingDialect: String, Sendable, Hashable, CaseIterable, Decodable {
    /// A JSON object with `deviceId`, `timestamp`, `latitude`, `longitude`, `horizontalAccuracyMeters`, `speedMps`,
    /// `mode` and `batteryLevel`; unknown values are null.
    case ping
    /// OwnTracks over HTTP: a JSON object of type `location`.
    case owntracks
    /// Overland: GeoJSON, several positions in a request.
    case overland
    /// Traccar's OsmAnd protocol: a form.
    case osmand

    /// The most pings in a request.
    public var batchLimit: Int { self == .overland ? 100 : 1 }

    /// The media type of the body.
    public var contentType: String { self == .osmand ? "application/x-www-form-urlencoded" : "application/json" }

    /// The headers of a request besides `Content-Type`.
    public func headers(for ping: Ping, user: String = "taffrail") -> [(name: String, value: String)] {
        self == .owntracks ? [("X-Limit-U", user), ("X-Limit-D", ping.deviceID)] : []
    }

    /// Whether a response with a status of 200 to 299 confirms that pings are kept: Overland's receivers report that in the
    /// body.
    public func isConfirmed(by body: some Sequence<UInt8>) -> Bool {
        guard self == .overland else { return true }
        var reader = JSONReader(Array(body.prefix(65_536)))
        guard case .map(let entries)? = try? reader.value() else { return false }
        return entries.contains(LogValueEntry("result", .string("ok")))
    }
}
