#if Store
/// The results of an analysis while it takes fixes.
struct JourneyFindings {
    var visits: [VisitRow] = []
    var trips: [TripRow] = []
    /// Fixes that are neither part of a trip nor of a visit, with the reason.
    var excluded: [(fix: JourneyFix, reason: TrackPoint.Flags)] = []
}
#endif
