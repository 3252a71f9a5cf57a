#if Store
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
    var omittedFixes: Int64
    var longestGap: Int64
    var zone: Int64?
}
#endif
