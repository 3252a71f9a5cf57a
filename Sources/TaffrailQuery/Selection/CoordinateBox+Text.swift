package import TaffrailGeo
internal import TaffrailText

extension CoordinateBox {
    /// Parses south, west, north and east in degrees, such as `55.5,12.4,55.8,12.7`.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 4, let southWest = Coordinate(parts[0], parts[1]),
            let northEast = Coordinate(parts[2], parts[3]), southWest.latitude <= northEast.latitude
        else { return nil }
        self.init(southWest: southWest, northEast: northEast)
    }
}

extension Coordinate {
    /// Parses degrees.
    init?(_ latitude: Substring, _ longitude: Substring) {
        guard let latitude = DecimalText.double(latitude), let longitude = DecimalText.double(longitude) else {
            return nil
        }
        self.init(latitude: latitude, longitude: longitude)
        guard isValid else { return nil }
    }
}
