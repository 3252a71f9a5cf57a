#if Command && Store
internal import TaffrailStore
internal import TaffrailText

/// Visits and trips in a format for maps.
protocol JourneyMap {
    /// The strings before the first item, between two, and after the last.
    var opening: String { get }
    var separator: String { get }
    var closing: String { get }

    /// Returns a visit as a point with its name and times.
    func text(_ visit: PlaceVisit) -> [UInt8]

    /// Returns a trip as a track.
    func text(_ trip: Trip, along route: [WayPoint]) -> [UInt8]
}

extension HistoryJourneys {
    /// Returns the start and the end of a visit, in words.
    func summary(_ visit: PlaceVisit) -> String {
        let end = visit.isOpen ? ", still there" : " to \(Self.time(visit.departure, visit.localOffset))"
        return "\(Self.time(visit.arrival, visit.localOffset))\(end), \(ClockText.minutes(visit.duration))"
    }

    /// Returns the start, the end and the length of a trip, in words.
    func summary(_ trip: Trip) -> String {
        "\(Self.time(trip.departure, trip.localOffset)) to \(Self.time(trip.arrival, trip.localOffset)), "
            + "\(ClockText.minutes(trip.duration)), \(Self.kilometres(trip.distance))"
    }
}
#endif
