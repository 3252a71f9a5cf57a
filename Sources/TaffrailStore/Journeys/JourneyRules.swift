#if Store
/// What counts as a visit, a trip, a jump and drift.
///
/// The rules are the same for all stores: what is stored was made by them.
enum JourneyRules {
    /// How far from its centre a visit reaches, in metres.
    static let radius = 100.0
    /// How long a visit lasts at least, in milliseconds.
    static let dwell: Int64 = 300_000
    /// Fixes that are less accurate than this, in metres, are left out.
    static let accuracyLimit = 200.0
    /// A pause without fixes after which a trip has ended, and what follows is another one, in milliseconds.
    static let pause: Int64 = 3_600_000
    /// How far beyond the accuracy of its fixes a device must be from the centre of a visit to have left it at once, in
    /// metres. What is nearer, and does not last, is drift.
    static let clearly = 300.0
    /// How long a device that seems to be elsewhere, less far than that, may do so until it has left, in milliseconds.
    static let doubt: Int64 = 1_800_000
    /// The accuracy of fixes that have none, in metres.
    static let usualAccuracy = 15.0
    /// For how long fixes must be outside of the circle around the first of them that may begin a visit, in milliseconds.
    static let outside: Int64 = 30_000
}
#endif
