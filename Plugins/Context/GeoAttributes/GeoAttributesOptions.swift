public import Taffrail
public import TaffrailGeo
public import TaffrailLocationManager

/// The options of the context `geo-attributes`.
public struct GeoAttributesOptions: PluginOptions {
    /// How long a fix is current: one is requested only when none has arrived for this time. From 1 s to 7 days.
    /// Default 1 h.
    public var refresh: Duration
    /// How long a fix is added to records after it arrived. From 1 s to 14 days. Default `nil`: twice ``refresh``.
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
    }

    /// The source of names. Default: no names.
    public var geocoder: Geocoder
    /// The geocoder's database. Default `nil`: the value of ``OfflineGeocoder/standardPath`` when the context is
    /// created.
    public var database: String?
    /// The source from which fixes are requested. Default `nil`: ``LocationSource/standard`` at each request.
    public var source: LocationSource?

    /// Creates options.
    public init(
        refresh: Duration = .hours(1), maxAge: Duration? = nil, places: [NamedPlace] = [],
        source: LocationSource? = nil, geocoder: Geocoder = .none, database: String? = nil
    ) {
        self.refresh = refresh
        self.maxAge = maxAge
        self.places = places
        self.source = source
        self.geocoder = geocoder
        self.database = database
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case refresh
        case maxAge = "max_age"
        case places, source, geocoder, database
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        refresh = try options.value(.refresh, or: refresh, in: .seconds(1) ... .hours(7 * 24))
        if options.contains(.maxAge) {
            maxAge = try options.value(.maxAge, or: .zero, in: .seconds(1) ... .hours(14 * 24))
        }
        let names: [String] = try options.value(.places, or: [])
        let known =
            PluginRegistry.Sections.section(PlacesOptions.section, as: PlacesOptions.self, in: decoder)?.places ?? []
        places = try names.map { name in
            if let place = known.first(where: { $0.name == name }) { return place }
            throw options.problem(
                .places,
                known.isEmpty
                    ? "\"\(name)\" needs a list \"places\" at the top of the configuration"
                    : "no place is named \"\(name)\"; known places: \(known.map(\.name).joined(separator: ", "))")
        }
        let geocoderName: String = try options.value(.geocoder, or: geocoder.rawValue)
        guard let geocoder = Geocoder(rawValue: geocoderName) else {
            let names = Geocoder.allCases.map(\.rawValue).joined(separator: ", ")
            throw options.problem(.geocoder, "must be one of \(names), not \"\(geocoderName)\"")
        }
        self.geocoder = geocoder
        database = try options.value(.database)
        if database != nil && geocoder == .none {
            throw options.problem(.database, "has no effect without geocoder: offline")
        }
        if let text: String = try options.value(.source) {
            source = LocationSource(text)
            if source == nil {
                throw options.problem(.source, "must be inputs, gpsd://HOST:PORT or nmea:SOURCE, not \"\(text)\"")
            }
        }
    }

    /// Opens the database, if one is configured.
    func openGeocoder() throws(OfflineGeocoder.OpenError) -> OfflineGeocoder? {
        geocoder == .none ? nil : try OfflineGeocoder(path: database ?? OfflineGeocoder.standardPath)
    }

    /// How long a fix is added to records after it arrived.
    public var usedMaxAge: Duration { maxAge ?? refresh * 2 }
}
