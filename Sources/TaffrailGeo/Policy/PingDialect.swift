internal import Taffrail
internal import TaffrailText

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

    /// The maximum number of pings in a request.
    public var batchLimit: Int { self == .overland ? 100 : 1 }

    /// The media type of the body.
    public var contentType: String { self == .osmand ? "application/x-www-form-urlencoded" : "application/json" }

    /// Returns the headers of a request besides `Content-Type`.
    public func headers(for ping: Ping, user: String = "taffrail") -> [(name: String, value: String)] {
        self == .owntracks ? [("X-Limit-U", user), ("X-Limit-D", ping.deviceID)] : []
    }

    /// Returns whether a response with a status of 200 to 299 confirms that pings were stored: Overland's receivers
    /// report that in the body.
    public func isConfirmed(by body: some Sequence<UInt8>) -> Bool {
        guard self == .overland else { return true }
        var reader = JSONReader(Array(body.prefix(65_536)))
        guard case .map(let entries)? = try? reader.value() else { return false }
        return entries.contains(LogValueEntry("result", .string("ok")))
    }
}
