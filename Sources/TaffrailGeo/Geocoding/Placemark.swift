/// The names of a place at a coordinate: the part of CoreLocation's `CLPlacemark` that records contain.
public struct Placemark: Sendable, Hashable {
    /// The country, or the territory with its own code: ISO 3166-1 alpha-2, such as `DK` or `GF`.
    public var countryCode: String?
    /// The top-level subdivision: ISO 3166-2, such as `FR-IDF`; `nil` unless known for certain.
    public var regionCode: String?
    /// The city or town.
    public var locality: String?
    /// The postal code.
    public var postalCode: String?
    /// The continent: `AF`, `AN`, `AS`, `EU`, `NA`, `OC` or `SA`.
    public var continentCode: String?
    /// The time zone's name, such as `Europe/Copenhagen`.
    public var timeZone: String?

    /// No names.
    public init() {}
}
