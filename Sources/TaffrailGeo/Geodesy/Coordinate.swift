internal import TaffrailText

/// A position on the WGS84 ellipsoid, in degrees.
public struct Coordinate: Sendable, Hashable {
    /// Degrees north of the equator, −90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public var longitude: Double

    /// Creates a coordinate without checking ranges; see ``isValid``.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both values are in range.
    public var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

    /// Returns the shortest distance on the WGS84 ellipsoid to another coordinate, in metres.
    public func distance(to other: Coordinate) -> Double { Geodesy.distance(self, other) }
}

extension Coordinate: CustomStringConvertible {
    /// Degrees with seven decimals (a centimetre), such as `55.7558000, 37.6173000`.
    public var description: String {
        "\(DecimalText.string(latitude, decimals: 7)), \(DecimalText.string(longitude, decimals: 7))"
    }
}
