public import Taffrail
public import TaffrailGeo

/// The options of the input `visits`.
public struct VisitsOptions: PluginOptions {
    /// The places to watch. Default: all places of the configuration.
    public var places: [NamedPlace]
    /// Whether to log stays at any position. Default `true`.
    public var visits: Bool
    /// The radius of a stay around its centre, in metres. From 10 to 10000. Default 100.
    public var radius: Double
    /// The minimum duration of a stay. From 1 min to 24 h. Default 5 min.
    public var dwell: Duration

    /// Creates options.
    public init(
        places: [NamedPlace] = [], visits: Bool = true, radius: Double = 100, dwell: Duration = .seconds(300)
    ) {
        self.places = places
        self.visits = visits
        self.radius = radius
        self.dwell = dwell
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case places, visits, radius, dwell }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        places = try options.places(.places, or: PlacesOptions.all(in: decoder), in: decoder)
        visits = try options.value(.visits, or: visits)
        radius = try options.value(.radius, or: radius, in: 10...10_000)
        dwell = try options.value(.dwell, or: dwell, in: .minutes(1) ... .hours(24))
        guard visits || !places.isEmpty else { throw options.problem(.visits, "must be true if there are no places") }
    }
}
