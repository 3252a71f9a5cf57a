#if Store
internal import Taffrail

/// The numbers of a point as stored: integer multiples of small units.
struct PointRow: Hashable {
    var lat: Int64
    var lon: Int64
    var hAcc: Int64?
    var verticalAccuracy: Int64?
    var altitude: Int64?
    var course: Int64?
    var speed: Int64?
    var climb: Int64?
    /// In percent.
    var battery: Int64?
    /// In minutes.
    var localOffset: Int64?

    init(_ point: TrackPoint) {
        let place = ScaledCoordinate(point.coordinate)
        (lat, lon) = (place.lat, place.lon)
        hAcc = Self.hundredths(point.hAcc)
        verticalAccuracy = Self.hundredths(point.verticalAccuracy)
        altitude = Self.hundredths(point.altitude)
        course = Self.hundredths(point.course).map { $0 % 36_000 }
        speed = Self.hundredths(point.speed)
        climb = Self.hundredths(point.climb)
        battery = Self.hundredths(point.battery.map { min(1, max(0, $0)) })
        localOffset = point.localOffset.map { $0.components.seconds / 60 }
    }

    /// Sets the numbers of a point.
    func setValues(of point: inout TrackPoint) {
        point.lat = Double(lat) / 1e7
        point.lon = Double(lon) / 1e7
        func number(_ value: Int64?) -> Double? { value.map { Double($0) / 100 } }
        point.hAcc = number(hAcc)
        point.verticalAccuracy = number(verticalAccuracy)
        point.altitude = number(altitude)
        point.course = number(course)
        point.speed = number(speed)
        point.climb = number(climb)
        point.battery = number(battery)
        point.localOffset = localOffset.map { .seconds($0 &* 60) }
    }

    /// Returns a number in units of 0.01; `nil` also for values of 1e12 or more, which no sensor returns.
    private static func hundredths(_ value: Double?) -> Int64? {
        guard let value, abs(value) < 1e12 else { return nil }
        return Int64(exactly: (value * 100).rounded())
    }
}
#endif
