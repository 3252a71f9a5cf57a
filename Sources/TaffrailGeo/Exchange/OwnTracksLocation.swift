package import Taffrail

/// The position and the battery in a message of OwnTracks with the type `location`.
///
/// A value out of its range counts as unknown. Source: https://owntracks.org/booklet/tech/json/.
package struct OwnTracksLocation {
    /// The range of `tst`, in seconds since 1970.
    package static let times = 0.0...9_000_000_000

    package let location: Location
    /// The charge of the battery, from 0 to 1.
    package let battery: Double?

    /// Reads the optional values of a message.
    ///
    /// - Parameters:
    ///   - coordinate: `lat` and `lon`.
    ///   - seconds: `tst`, in its range.
    ///   - number: Returns the number with a name; `nil` if there is none.
    package init(_ coordinate: Coordinate, seconds: Double, number: (String) -> Double?) {
        var location = Location(coordinate: coordinate, timestamp: Self.time(seconds))
        location.horizontalAccuracy = number("acc").flatMap { $0 >= 0 ? $0 : nil }
        location.altitude = number("alt")
        // Phones that do not know the value send 0.
        location.verticalAccuracy = number("vac").flatMap { $0 > 0 ? $0 : nil }
        // In kilometres per hour.
        location.speed = number("vel").flatMap { $0 >= 0 ? $0 / 3.6 : nil }
        location.course = number("cog").flatMap(Location.course)
        self.location = location
        // In per cent; -1 if unknown.
        battery = number("batt").flatMap { (0...100).contains($0) ? $0 / 100 : nil }
    }

    /// Returns the user and the device in a topic `owntracks/USER/DEVICE`; `nil` for other topics.
    package static func sender(topic: String) -> (user: String, device: String)? {
        let levels = topic.split(separator: "/")
        return levels.count >= 3 ? (String(levels[1]), String(levels[2])) : nil
    }

    /// Returns the time of a `tst` in its range, to the millisecond: further decimals are not exact.
    package static func time(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: Int64((seconds * 1e3).rounded()) * 1_000_000)
    }
}
