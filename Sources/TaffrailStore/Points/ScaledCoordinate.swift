#if Store
internal import Glibc
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A place in units of 1e-7 degrees.
struct ScaledCoordinate: Hashable {
    var lat: Int64
    var lon: Int64

    var coordinate: Coordinate { Coordinate(latitude: Double(lat) / 1e7, longitude: Double(lon) / 1e7) }

    /// Returns the distance to another place in metres, computed on a plane, accurate to 0.01 % up to 10 km. Only used
    /// for short distances, not for the length of a trip.
    @inline(__always)
    func distance(to other: ScaledCoordinate) -> Double {
        // Metres per 1e-7 degrees by the series for WGS84.
        let cosine = cos(Double(lat &+ other.lat) * 0.5e-7 * .pi / 180)
        let square = cosine * cosine
        let northing = 0.0111_692_771 - 0.0001_119_644 * square
        let easting = (0.0111_694_7 - 0.0000_374 * square) * cosine
        let y = Double(other.lat &- lat) * northing
        let x = Double(east(to: other)) * easting
        return (x * x + y * y).squareRoot()
    }

    /// Returns the difference of longitudes to the east, the shorter way round.
    @inline(__always)
    func east(to other: ScaledCoordinate) -> Int64 { Self.wrapped(other.lon &- lon) }

    /// Returns the same longitude, or difference of longitudes, in ±180 degrees.
    @inline(__always)
    static func wrapped(_ lon: Int64) -> Int64 {
        lon > 1_800_000_000 ? lon &- 3_600_000_000 : lon < -1_800_000_000 ? lon &+ 3_600_000_000 : lon
    }
}

extension ScaledCoordinate {
    init(_ coordinate: Coordinate) {
        self.init(lat: Self.degrees(coordinate.latitude), lon: Self.degrees(coordinate.longitude))
    }

    /// Returns degrees in units of 1e-7; 0 for NaN.
    private static func degrees(_ value: Double) -> Int64 { Int64(exactly: (value * 1e7).rounded()) ?? 0 }

    func add(to object: inout JSONObject) {
        object.add("lat", whole: lat)
        object.add("lon", whole: lon)
    }

    init?(_ value: LogValue) {
        guard let lat = value["lat"]?.integer, let lon = value["lon"]?.integer else { return nil }
        self.init(lat: lat, lon: lon)
    }
}
#endif
