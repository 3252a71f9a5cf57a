#if Command && Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailStore

/// Visits and trips in a format for maps.
protocol JourneyMap {
    /// What is before the first of them, between two, and after the last.
    var opening: String { get }
    var separator: String { get }
    var closing: String { get }

    /// A visit as a point with its name and times.
    func text(_ visit: PlaceVisit) -> [UInt8]

    /// A trip as a track.
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
    /// The points of a trip that are stored, without those that are left out of trips. Where fewer than two are left, as after a purge,
    /// the ends of the trip stand for them.
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
    /// When a visit began and ended, in words.
    func summary(_ visit: PlaceVisit) -> String {
        let end = visit.isOpen ? ", still there" : " to \(Self.time(visit.departure, visit.localOffset))"
        return "\(Self.time(visit.arrival, visit.localOffset))\(end), \(Self.duration(visit.duration))"
    }

    /// When a trip began and ended, and its length, in words.
    func summary(_ trip: Trip) -> String {
        "\(Self.time(trip.departure, trip.localOffset)) to \(Self.time(trip.arrival, trip.localOffset)), "
            + "\(Self.duration(trip.duration)), \(Self.kilometres(trip.distance))"
    }
}
#endif
