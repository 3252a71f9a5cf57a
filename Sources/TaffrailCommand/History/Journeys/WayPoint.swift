#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore

/// A point of a trip.
struct WayPoint {
    var coordinate: Coordinate
    var time: Timestamp
    /// Metres above mean sea level.
    var altitude: Double?
}

extension StoreReader {
    /// Returns the stored points of a trip, without those that are left out of trips. If fewer than two remain, as
    /// after a purge, the ends of the trip replace them.
    func path(of trip: Trip) throws -> [WayPoint] {
        var query = TrackQuery()
        query.device = trip.device
        query.since = trip.departure
        // Its times are whole milliseconds.
        query.until = Timestamp(nanoseconds: trip.arrival.nanoseconds &+ 1_000_000)
        query.includesExcluded = false
        var path: [WayPoint] = []
        try forEach(query) { point in
            path.append(WayPoint(coordinate: point.coordinate, time: point.timestamp, altitude: point.altitude))
        }
        guard path.count < 2 else { return path }
        return [
            WayPoint(coordinate: trip.from, time: trip.departure), WayPoint(coordinate: trip.to, time: trip.arrival),
        ]
    }
}
#endif
