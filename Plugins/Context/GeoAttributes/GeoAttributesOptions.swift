public import Taffrail
public import TaffrailGeo
#if HTTP
internal import TaffrailHTTP
#endif
public import TaffrailLocationManager

/// The options of the context `geo-attributes`.
public struct GeoAttributesOptions: PluginOptions {
    /// The time for which a fix is current: one is requested only if none has arrived for this time. From 1 s to 7
    /// days; a value set in code is clamped to this range. Default 1 h.
    public var refresh: Duration
    /// The time for which a fix is added to records after its arrival. From 1 s to 14 days, as for ``refresh``. Default
    /// `nil`: twice ``refresh``.
    public var maxAge: Duration?
    /// Places within which records get the place's name in `taffrail.geo.place` and no coordinates. Default:
    /// none.
    public var places: [NamedPlace]
    /// The source of the names of countries, regions and towns.
    public enum Geocoder: String, Sendable, Hashable, CaseIterable, Decodable {
        /// No names.
        case none
        /// A database on this machine, created by `taffrail geocoder build`.
        case offline
        /// A server with Nominatim's API. Requires the trait `HTTP`.
        case nominatim
    }

    /// The source of names. Default: no names.
    public var geocoder: Geocoder
    /// The geocoder's database, which is also used while a server does not respond. Default `nil`: the value of
    /// ``OfflineGeocoder/standardPath`` when the context is created.
    public var database: String?
    /// The address of the geocoder's server, such as `https://nominatim.example`. It receives the same coordinates as
    /// records. Default `nil`.
    public var server: String?
    /// The source from which fixes are requested. Default `nil`: ``LocationSource/standard`` at each request.
    public var source: LocationSource?

    /// Creates options.
    public init(
        refresh: Duration = .hours(1), maxAge: Duration? = nil, places: [NamedPlace] = [],
        source: LocationSource? = nil, geocoder: Geocoder = .none, database: String? = nil, server: String? = nil
    ) {
        self.refresh = refresh
        self.maxAge = maxAge
        self.places = places
        self.source = source
        self.geocoder = geocoder
        self.database = database
        self.server = server
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case refresh
        case maxAge = "max_age"
        case places, source, geocoder, database, server
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        refresh = try options.value(.refresh, or: refresh, in: Self.refreshes)
        maxAge = try options.value(.maxAge, in: Self.maxAges)
        places = try options.places(.places, or: [], in: decoder)
        geocoder = try options.value(.geocoder, or: geocoder)
        database = try options.path(.database)
        if database != nil && geocoder == .none {
            throw options.problem(.database, "has no effect without geocoder: offline or nominatim")
        }
        server = try options.value(.server)
        if let server, geocoder != .nominatim {
            throw options.problem(.server, "has no effect without geocoder: nominatim, but is \"\(server)\"")
        }
        if let problem = serverProblem { throw options.problem(.server, problem) }
        if let text: String = try options.value(.source) {
            source = LocationSource(text)
            if source == nil {
                throw options.problem(.source, "must be inputs, gpsd://HOST:PORT or nmea:SOURCE, not \"\(text)\"")
            }
            if let problem = source?.path.flatMap(PathText.problem) { throw options.problem(.source, problem) }
        }
    }

    /// The reason why the server cannot be used; `nil` if it can, or if there is none.
    private var serverProblem: String? {
        guard geocoder == .nominatim else { return nil }
        #if HTTP
        guard let server else { return "is needed by geocoder: nominatim, such as https://nominatim.example" }
        return HTTPAddress.problem(in: server)
        #else
        return "requires the trait HTTP"
        #endif
    }

    /// Opens the sources of place names.
    ///
    /// - Throws: ``OfflineGeocoder/OpenError`` and ``OptionError``.
    func openPlaceNames() throws -> PlaceNames {
        PlaceNames(geocoder: try openGeocoder(), nominatim: try makeNominatim())
    }

    /// Opens the database. With a server, the database at the standard path is optional.
    func openGeocoder() throws(OfflineGeocoder.OpenError) -> OfflineGeocoder? {
        switch geocoder {
        case .none: return nil
        case .offline: return try OfflineGeocoder(path: database ?? OfflineGeocoder.standardPath)
        case .nominatim:
            guard let path = database ?? [OfflineGeocoder.standardPath].first(where: FileName.exists) else {
                return nil
            }
            return try OfflineGeocoder(path: path)
        }
    }

    /// Returns the server, if one is configured.
    func makeNominatim() throws(OptionError) -> NominatimGeocoder? {
        guard geocoder == .nominatim else { return nil }
        if let problem = serverProblem { throw OptionError("server", problem) }
        #if HTTP
        guard let server else { return nil }
        let client = try NominatimClient(server)
        return NominatimGeocoder(server, clock: ContinuousClock(), fetch: client.fetch)
        #else
        return nil
        #endif
    }

    private static let refreshes = Duration.seconds(1)...Duration.hours(7 * 24)
    private static let maxAges = Duration.seconds(1)...Duration.hours(14 * 24)

    /// The time for which a fix is current, within the permitted range.
    var usedRefresh: Duration { min(max(refresh, Self.refreshes.lowerBound), Self.refreshes.upperBound) }

    /// The time for which a fix is added to records after its arrival, within the permitted range.
    public var usedMaxAge: Duration {
        guard let maxAge else { return usedRefresh * 2 }
        return min(max(maxAge, Self.maxAges.lowerBound), Self.maxAges.upperBound)
    }

    /// `true`: the last fix is saved next to the log by default.
    public static var keepsStateBesideLog: Bool { true }
}
