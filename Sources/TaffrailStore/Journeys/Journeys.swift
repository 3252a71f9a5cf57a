#if Store
package import Taffrail
internal import TaffrailText

/// Visits and trips, each in chronological order.
public struct Journeys: Sendable, Hashable {
    /// The visits.
    public var visits: [PlaceVisit] = []
    /// The trips.
    public var trips: [Trip] = []

    /// Creates an answer without visits and trips.
    public init() {}

    /// The sum of the lengths of the trips, in metres.
    public var odometer: Double { trips.reduce(0) { $0 + $1.distance } }
}

extension Journeys {
    /// Returns the days with visits or trips, by device and day.
    ///
    /// - Parameter zone: The local time of visits and trips that have none of their own.
    package func days(_ zone: ZoneOffset) -> [DaySummary] {
        var days: [DayKey: DaySummary] = [:]
        func change(_ device: String, _ day: Int64, _ body: (inout DaySummary) -> Void) {
            let date = CivilTime(secondsSince1970: day &* 86_400).date
            body(&days[DayKey(device: ExactText(device), day: day), default: DaySummary(device: device, date: date)])
        }
        for trip in trips {
            change(trip.device, Self.local(trip.departure, trip.localOffset, zone).day) { day in
                day.trips += 1
                day.distance += trip.distance
                day.moving += trip.duration
            }
        }
        for visit in visits {
            let (first, start) = Self.local(visit.arrival, visit.localOffset, zone)
            let end = start &+ visit.duration.nanoseconds
            let last = max(first, CivilTime.floorDivide(end &- 1, by: CivilTime.dayLength))
            for number in first...last {
                let from = max(start, number &* CivilTime.dayLength)
                let to = min(end, (number &+ 1) &* CivilTime.dayLength)
                change(visit.device, number) { day in
                    day.visits += 1
                    day.staying += .nanoseconds(max(0, to &- from))
                }
            }
        }
        return days.sorted { $0.key < $1.key }.map(\.value)
    }

    private struct DayKey: Hashable, Comparable {
        var device: ExactText
        var day: Int64

        static func < (lhs: DayKey, rhs: DayKey) -> Bool { (lhs.device, lhs.day) < (rhs.device, rhs.day) }
    }

    /// Returns the number of a day by local time, and the nanoseconds since 1970 of local time.
    private static func local(_ time: Timestamp, _ offset: Duration?, _ zone: ZoneOffset) -> (day: Int64, Int64) {
        let seconds = time.wholeSeconds
        let local = (time + (offset ?? .seconds(zone.seconds(seconds)))).nanoseconds
        return (CivilTime.floorDivide(local, by: CivilTime.dayLength), local)
    }
}
#endif
