#if Store
/// A visit in the form in which it is stored.
struct VisitRow: Hashable {
    /// Milliseconds since 1970, as all times here.
    var arrival: Int64
    var departure: Int64
    var center: ScaledCoordinate
    var points: Int64
    var longestGap: Int64
    /// In minutes.
    var zone: Int64?
    var isOpen = false
}

/// A trip in the form in which it is stored.
struct TripRow: Hashable {
    var departure: Int64
    var arrival: Int64
    var from: ScaledCoordinate
    var to: ScaledCoordinate
    /// In metres.
    var distance: Double
    var start: Trip.Start
    var end: Trip.End
    var points: Int64
    var leftOut: Int64
    var longestGap: Int64
    var zone: Int64?
}

/// The results of an analysis while it takes fixes.
struct JourneyFindings {
    var visits: [VisitRow] = []
    var trips: [TripRow] = []
    /// Fixes that are neither part of a trip nor of a visit, with the reason.
    var judged: [(fix: JourneyFix, reason: TrackPoint.Flags)] = []
}
#endif
