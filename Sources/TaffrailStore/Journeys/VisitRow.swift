#if Store
/// A visit in the form in which it is stored.
struct VisitRow: Hashable {
    /// Milliseconds since 1970, like all times here.
    var arrival: Int64
    var departure: Int64
    var center: ScaledCoordinate
    var points: Int64
    var longestGap: Int64
    /// In minutes.
    var zone: Int64?
    var isOpen = false
}
#endif
