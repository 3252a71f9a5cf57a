#if Store
/// The limits that define a visit, a trip, a jump and drift.
///
/// The rules are the same for all stores, because stored results depend on them.
enum JourneyRules {
    /// The radius of a visit around its centre, in metres.
    static let radius = 100.0
    /// The shortest visit, in milliseconds.
    static let dwell: Int64 = 300_000
    /// Fixes that are less accurate than this, in metres, are ignored.
    static let accuracyLimit = 200.0
    /// The pause without fixes after which a trip ends and another one begins, in milliseconds.
    static let pause: Int64 = 3_600_000
    /// The distance from the centre of a visit, beyond the accuracy of the fixes, at which a device has left
    /// immediately, in metres. A brief excursion within this distance is drift.
    static let clearly = 300.0
    /// The time for which a device may appear to be elsewhere, within that distance, before it counts as having left,
    /// in milliseconds.
    static let doubt: Int64 = 1_800_000
    /// The assumed accuracy of fixes without one, in metres.
    static let usualAccuracy = 15.0
    /// The time for which fixes must be outside the circle around the first of them that may begin a visit, in
    /// milliseconds.
    static let outside: Int64 = 30_000
}
#endif
