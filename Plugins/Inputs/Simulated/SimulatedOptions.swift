public import Taffrail
public import TaffrailGeo

/// The options of the input `simulated`.
public struct SimulatedOptions: PluginOptions {
    /// A waypoint in a configuration.
    public struct Point: Decodable, Sendable, Hashable {
        /// Degrees, −90 to 90.
        public var latitude: Double
        /// Degrees, −180 to 180.
        public var longitude: Double

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case latitude, longitude
        }

        /// Decodes a waypoint.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let point = try container.coordinate(.latitude, .longitude)
            (latitude, longitude) = (point.latitude, point.longitude)
        }

        /// Creates a waypoint.
        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// One waypoint, or several as a route. No default; may be empty for a program that sets positions itself.
    public var points: [Point]
    /// The speed on a route, in metres per second. From 0.01 to 10000. Default 20.
    public var speed: Double
    /// The interval of positions. From 10 ms to 1 h. Default 1 s.
    public var interval: Duration
    /// Whether to repeat a route. Default `false`.
    public var loop: Bool
    /// The accuracy of the positions, in metres. From 0 to 100000. Default 5.
    public var accuracy: Double
    /// Whether to log positions only while parts of the program request them, at the requested rate. Default `false`:
    /// always.
    public var onDemand: Bool

    /// Creates options.
    public init(
        points: [Point], speed: Double = 20, interval: Duration = .seconds(1), loop: Bool = false, accuracy: Double = 5,
        onDemand: Bool = false
    ) {
        self.points = points
        self.speed = speed
        self.interval = interval
        self.loop = loop
        self.accuracy = accuracy
        self.onDemand = onDemand
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case points, speed, interval, loop, accuracy
        case onDemand = "on_demand"
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init(points: try options.decode([Point].self, forKey: .points))
        speed = try options.value(.speed, or: speed, in: 0.01...10_000)
        interval = try options.value(.interval, or: interval, in: .milliseconds(10) ... .hours(1))
        loop = try options.value(.loop, or: loop)
        accuracy = try options.value(.accuracy, or: accuracy, in: 0...100_000)
        onDemand = try options.value(.onDemand, or: onDemand)
    }

    /// The route of these options; `nil` without waypoints.
    public var route: SimulatedRoute? {
        SimulatedRoute(
            points.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }, speed: speed, loops: loop,
            accuracy: accuracy)
    }
}
