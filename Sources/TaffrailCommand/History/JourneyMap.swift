#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore

/// Visits and trips in a format for maps.
protocol JourneyMap {
    /// The strings before the first item, between two, and after the last.
    var opening: String { get }
    var separator: String { get }
    var closing: String { get }

    /// Returns a visit as a point with its name and times.
    func text(_ visit: PlaceVisit) -> [UInt8]

    /// Returns a trip as a track.
    func text(_ trip: Trip, along way: [WayPoint]) -> [UInt8]
}

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
    func way(of trip: Trip) throws -> [WayPoint] {
        var query = TrackQuery()
        query.device = trip.device
        query.since = trip.departure
        // Its times are whole milliseconds.
        query.until = Timestamp(nanoseconds: trip.arrival.nanoseconds &+ 1_000_000)
        query.includesJudged = false
        var way: [WayPoint] = []
        try forEach(query) { point in
            way.append(WayPoint(coordinate: point.coordinate, time: point.timestamp, altitude: point.altitude))
        }
        guard way.count < 2 else { return way }
        return [
            WayPoint(coordinate: trip.from, time: trip.departure), WayPoint(coordinate: trip.to, time: trip.arrival),
        ]
    }
}

extension HistoryJourneys {
    /// Returns the start and the end of a visit, in words.
    func summary(_ visit: PlaceVisit) -> String {
        let end = visit.isOpen ? ", still there" : " to \(Self.time(visit.departure, visit.localOffset))"
        return "\(Self.time(visit.arrival, visit.localOffset))\(end), \(Self.duration(visit.duration))"
    }

    /// Returns the start, the end and the length of a trip, in words.
    func summary(_ trip: Trip) -> String {
        "\(Self.time(trip.departure, trip.localOffset)) to \(Self.time(trip.arrival, trip.localOffset)), "
            + "\(Self.duration(trip.duration)), \(Self.kilometres(trip.distance))"
    }
}
#endif
