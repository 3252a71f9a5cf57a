/// What lies at a coordinate: CoreLocation's `CLPlacemark`, as far as records have it.
public struct Placemark: Sendable, Hashable {
    /// The country, or the territory that has a code of its own: ISO 3166-1 alpha-2, such as `DK` or `GF`.
    public var countryCode: String?
    /// The top-level subdivision: ISO 3166-2, such as `FR-IDF`; `nil` where it is not known for certain.
    public var regionCode: String?
    /// The city or town.
    public var locality: String?
    /// The postal code.
    public var postalCode: String?
    /// The continent: `AF`, `AN`, `AS`, `EU`, `NA`, `OC` or `SA`.
    public var continentCode: String?
    /// The time zone's name, such as `Europe/Copenhagen`.
    public var timeZone: String?

    /// Nothing known.
    public init() {}
}
