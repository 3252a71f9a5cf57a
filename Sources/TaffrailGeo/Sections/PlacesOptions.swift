public import Taffrail

/// The section `places` of a configuration, which zones, regions and other options refer to.
public struct PlacesOptions: PluginOptions {
    /// The top-level key of the section.
    public static let section = "places"

    /// The places, with unique names.
    public var places: [NamedPlace]

    /// Creates a list of places.
    public init(_ places: [NamedPlace] = []) { self.places = places }

    /// Decodes the list.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        places = []
        while !list.isAtEnd {
            let place = try list.decode(NamedPlace.self)
            guard !places.contains(where: { $0.name == place.name }) else {
                throw DecodingError.dataCorruptedError(
                    in: list, debugDescription: "two places are named \"\(place.name)\"")
            }
            places.append(place)
        }
    }
}

extension PlacesOptions {
    /// Returns the places of the configuration that is being decoded.
    package static func all(in decoder: any Decoder) -> [NamedPlace] {
        PluginRegistry.Sections.section(section, as: PlacesOptions.self, in: decoder)?.places ?? []
    }

    /// Returns the place with a name, in the configuration that is being decoded.
    ///
    /// - Parameter problem: Creates the error if no place has this name.
    static func place(
        named name: String, in decoder: any Decoder, problem: (String) -> DecodingError
    ) throws -> NamedPlace {
        let known = all(in: decoder)
        if let place = known.first(where: { $0.name == name }) { return place }
        throw problem(
            known.isEmpty
                ? "\"\(name)\" needs a list \"places\" at the top of the configuration"
                : "no place is named \"\(name)\"; known places: \(known.map(\.name).joined(separator: ", "))")
    }
}

extension KeyedDecodingContainer {
    /// Decodes a list of names of places; `standard` if the key is missing.
    package func places(
        _ key: Key, or standard: @autoclosure () -> [NamedPlace], in decoder: any Decoder
    ) throws -> [NamedPlace] {
        guard let names: [String] = try value(key) else { return standard() }
        return try names.map { try PlacesOptions.place(named: $0, in: decoder) { problem(key, $0) } }
    }

    /// Decodes a centre and a radius.
    func circle(_ latitude: Key, _ longitude: Key, _ radius: Key) throws -> (center: Coordinate, radius: Double) {
        let center = try coordinate(latitude, longitude)
        let length = try decode(Double.self, forKey: radius)
        guard (1...1_000_000).contains(length) else {
            throw problem(radius, "must be from 1 to 1000000 metres, not \(length)")
        }
        return (center, length)
    }
}
