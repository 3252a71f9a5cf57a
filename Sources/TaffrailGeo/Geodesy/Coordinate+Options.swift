package import Taffrail

extension Coordinate {
    /// The first value that is out of range, and the reason.
    fileprivate var problem: (isLatitude: Bool, reason: String)? {
        if !(abs(latitude) <= 90) { return (true, "must be from -90 to 90, not \(latitude)") }
        if !(abs(longitude) <= 180) { return (false, "must be from -180 to 180, not \(longitude)") }
        return nil
    }
}

extension KeyedDecodingContainer {
    /// Decodes a coordinate from two keys.
    ///
    /// - Throws: `DecodingError` for a value that is missing, not a number, or out of range.
    package func coordinate(_ latitude: Key, _ longitude: Key) throws -> Coordinate {
        let coordinate = Coordinate(
            latitude: try decode(Double.self, forKey: latitude), longitude: try decode(Double.self, forKey: longitude))
        if let (isLatitude, reason) = coordinate.problem { throw problem(isLatitude ? latitude : longitude, reason) }
        return coordinate
    }
}

extension ControlCommand {
    /// Returns the coordinate in `latitude` and `longitude`.
    package func coordinate() throws(OptionError) -> Coordinate {
        guard let latitude = try number("latitude") else { throw OptionError("latitude", "is missing") }
        guard let longitude = try number("longitude") else { throw OptionError("longitude", "is missing") }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        if let (isLatitude, reason) = coordinate.problem {
            throw OptionError(isLatitude ? "latitude" : "longitude", reason)
        }
        return coordinate
    }
}
