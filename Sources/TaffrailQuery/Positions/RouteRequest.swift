public import Taffrail

/// A request for a route: trips that are merged, cut and simplified, as `taffrail recordings merge`, `cut` and
/// `simplify` do with files.
public struct RouteRequest: Sendable, Hashable {
    /// A part of the route.
    public struct Trip: Sendable, Hashable {
        /// The device.
        public var device: String
        /// The time of its first position.
        public var start: Timestamp
        /// The exclusive end: its last position is before this time.
        public var end: Timestamp

        /// Creates a part.
        public init(device: String, start: Timestamp, end: Timestamp) {
            self.device = device
            self.start = start
            self.end = end
        }
    }

    /// The formats of a route as a file.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// GPX 1.1.
        case gpx
        /// A recording.
        case recording

        /// The media type.
        var contentType: String { self == .gpx ? "application/gpx+xml" : "application/json" }
    }

    /// The parts.
    public var trips: [Trip]
    /// Only positions of this time or later.
    public var from: Timestamp?
    /// Only positions of this time or earlier.
    public var to: Timestamp?
    /// The greatest distance, in metres, of an omitted position from the line between the remaining ones. Default 0: no
    /// position is omitted.
    public var tolerance = 0.0
    /// The maximum number of positions to read.
    public var limit = 200_000

    /// Creates a request.
    public init(_ trips: [Trip] = []) { self.trips = trips }
}
