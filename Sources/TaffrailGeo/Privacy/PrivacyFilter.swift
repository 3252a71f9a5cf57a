package import Taffrail
internal import TaffrailText

/// Hides positions in zones and reduces the precision of all others.
///
/// The hidden circle differs from the configured one: its centre is shifted by up to half the radius, and its radius is
/// always larger by half, so that the centre of the area where tracks end is not the home. The shift depends on the
/// zone and a secret of the machine, and so never changes; a changing shift would average out.
package struct PrivacyFilter: Sendable {
    private struct Zone {
        var center: Coordinate
        var radius: Double
        var action: PrivacyZone.Action
    }

    /// Zones with action drop come first: where zones overlap, nothing is disclosed.
    private let zones: [Zone]
    private let scale: Double?

    /// Creates a filter.
    ///
    /// - Parameter secret: A secret; by default the machine's identity.
    package init(_ options: PrivacyOptions, secret: String = Self.machine) {
        scale = options.precision.map { digits in (0..<max(0, digits)).reduce(1.0) { scale, _ in scale * 10 } }
        let ordered = options.zones.filter { $0.action == .drop } + options.zones.filter { $0.action != .drop }
        zones = ordered.map { zone in
            var hash = Self.hash(secret)
            for value in [zone.center.latitude, zone.center.longitude, zone.radius] {
                hash = StableHash.mixed(hash ^ value.bitPattern)
            }
            let shift = Double(StableHash.mixed(hash) >> 11) * 0x1p-53 * zone.radius / 2
            let bearing = Double(StableHash.mixed(hash &+ 1) >> 11) * 0x1p-53 * 360
            return Zone(
                center: Geodesy.destination(from: zone.center, bearing: bearing, distance: shift),
                radius: zone.radius * 1.5, action: zone.action)
        }
    }

    /// Whether everything passes unchanged.
    package var isEmpty: Bool { zones.isEmpty && scale == nil }

    /// Returns the location as permitted; `nil` if it is hidden.
    package func filtered(_ location: Location) -> Location? {
        guard let zone = zones.first(where: { contains($0, location) }) else { return cut(location) }
        guard zone.action == .coarsen else { return nil }
        var coarse = Location(coordinate: zone.center, timestamp: location.timestamp)
        coarse.horizontalAccuracy = zone.radius
        coarse.sourceInformation = location.sourceInformation
        coarse.extra.uptime = location.extra.uptime
        return cut(coarse)
    }

    /// Returns a log record as permitted, with the position among its attributes filtered.
    package func filtered(_ record: LogRecord) -> LogRecord {
        guard Self.watchedNames.contains(where: { record[$0] != nil }) else { return record }
        var record = record
        var subject = GuardedAttributes(attributes: record.attributes)
        _ = review(&subject)
        record.attributes = subject.attributes
        return record
    }

    /// Returns whether the location is in one of the zones.
    func isInZone(_ location: Location) -> Bool { zones.contains { contains($0, location) } }

    private func contains(_ zone: Zone, _ location: Location) -> Bool {
        // A degree of latitude is more than 110 km everywhere, so most positions need no geodesic.
        guard abs(location.coordinate.latitude - zone.center.latitude) * 110_000 < zone.radius + 1_000 else {
            return false
        }
        return Geodesy.distance(location.coordinate, zone.center) <= zone.radius
    }

    private func cut(_ location: Location) -> Location {
        guard let scale else { return location }
        var location = location
        location.coordinate.latitude = (location.coordinate.latitude * scale).rounded() / scale
        location.coordinate.longitude = (location.coordinate.longitude * scale).rounded() / scale
        return location
    }

    /// The machine id of systemd, which must be kept confidential.
    package static var machine: String {
        let bytes = try? FileSource(path: "/etc/machine-id").readAll(limit: 64)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }

    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(StableHash.empty) { StableHash.mixed($0 ^ UInt64($1)) }
    }
}
