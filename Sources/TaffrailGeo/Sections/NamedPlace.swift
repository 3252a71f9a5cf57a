internal import Taffrail

/// A named place, such as a home.
public struct NamedPlace: Sendable, Hashable, Decodable {
    /// Its name, used by options to refer to it.
    public var name: String
    /// Its centre.
    public var center: Coordinate
    /// Its radius in metres. From 1.
    public var radius: Double

    /// Creates a place.
    public init(name: String, center: Coordinate, radius: Double) {
        self.name = name
        self.center = center
        self.radius = radius
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, latitude, longitude, radius }

    /// Decodes a place.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        name = try options.decode(String.self, forKey: .name)
        guard !name.isEmpty else { throw options.problem(.name, "must not be empty") }
        (center, radius) = try options.circle(.latitude, .longitude, .radius)
    }
}
