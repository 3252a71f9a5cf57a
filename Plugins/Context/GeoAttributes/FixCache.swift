internal import TaffrailGeo

/// Holds the last fix and its published attributes, and decides what is published when. Times are since the context's
/// start, of a monotonic clock.
struct FixCache: Sendable {
    /// The source of a fix, whose authorization the fix requires.
    enum Origin: Sendable, Hashable, CaseIterable {
        case inputs
        case request
    }

    /// A fix.
    struct Fix: Sendable, Hashable {
        var location: Location
        /// The name that replaces the coordinates of a place.
        var place: String?
        /// The time of arrival, which differs from the time in the fix.
        var arrival: Duration
        /// The source whose authorization the fix requires; `nil` for a fix saved by an earlier run, which requires
        /// that of all sources.
        var origin: Origin?
    }

    /// The next action on the published attributes.
    enum Action: Sendable, Hashable {
        case keep
        case publish(Fix)
        case clear
    }

    /// The distance after which new attributes are published, in metres.
    static let distance = 10.0
    /// The minimum time between publications.
    static let pause = Duration.seconds(1)
    /// The time after which the time of a fix is published although the position has not changed.
    static let standstill = Duration.seconds(60)

    private let refresh: Duration
    private let maxAge: Duration
    private(set) var fix: Fix?
    /// The published attributes.
    private var published: Fix?
    private var publication: Duration?
    private var request: Duration?
    private var permissions: [Origin: AuthorizationStatus] = [:]
    var isInBackground = false
    /// Whether the published attributes of the fix are incomplete.
    private var isOutdated = false

    init(refresh: Duration, maxAge: Duration) {
        self.refresh = refresh
        self.maxAge = maxAge
    }

    /// Accepts a fix if its source may be used. The response to a request made before the last fix of the inputs
    /// arrived may be older than that fix, and is ignored.
    mutating func take(_ new: Fix) {
        guard isPermitted(new) else { return }
        if new.origin == .request, let fix, fix.origin == .inputs, let request, fix.arrival >= request { return }
        fix = new
    }

    /// Updates the authorization of a source.
    ///
    /// - Returns: Whether the last fix was discarded because access is denied.
    mutating func permit(_ status: AuthorizationStatus, _ origin: Origin) -> Bool {
        permissions[origin] = status
        guard Self.isDenied(status), fix.map({ $0.origin == nil || $0.origin == origin }) == true else { return false }
        fix = nil
        return true
    }

    /// Marks the last fix to be published again with further attributes.
    mutating func renew() { isOutdated = true }

    /// Discards the last fix.
    mutating func forget() { fix = nil }

    private static func isDenied(_ status: AuthorizationStatus) -> Bool { status == .denied || status == .restricted }

    private func isPermitted(_ fix: Fix) -> Bool {
        let origins = fix.origin.map { [$0] } ?? Origin.allCases
        return origins.allSatisfy { origin in
            guard let status = permissions[origin] else { return true }
            return !Self.isDenied(status) && !(isInBackground && status == .authorizedWhenInUse)
        }
    }

    /// Returns the action that is due; the caller performs it.
    mutating func action(at now: Duration) -> Action {
        if let old = fix, now - old.arrival >= maxAge { fix = nil }
        guard let fix, isPermitted(fix) else {
            guard published != nil else { return .keep }
            published = nil
            return .clear
        }
        guard differs(fix), now >= publication.map({ $0 + Self.pause }) ?? now else { return .keep }
        published = fix
        publication = now
        isOutdated = false
        return .publish(fix)
    }

    private func differs(_ fix: Fix) -> Bool {
        guard let published else { return true }
        if isOutdated || fix.place != published.place { return true }
        // A fix that has not moved is published occasionally to update its time, which would otherwise become too old.
        if fix.arrival - published.arrival >= min(Self.standstill, maxAge / 2) { return true }
        guard fix.place == nil, fix.location.coordinate != published.location.coordinate else { return false }
        return fix.location.distance(from: published.location) >= Self.distance
    }

    /// Returns whether to request a fix now; if so, it counts as requested.
    mutating func takeRequest(at now: Duration) -> Bool {
        guard let due = requestDue, now >= due else { return false }
        request = now
        return true
    }

    /// The time of the next request: when no fix has arrived within `refresh`, and again after half of it. Distance
    /// triggers no requests: it is known only from a fix, which makes a request unnecessary.
    private var requestDue: Duration? {
        if isInBackground { return nil }
        let missing = fix.map { $0.arrival + refresh } ?? .zero
        return max(missing, request.map { $0 + refresh / 2 } ?? missing)
    }

    /// Returns the time of the next action.
    func due(after now: Duration) -> Duration? {
        var times: [Duration] = []
        if let requestDue { times.append(requestDue) }
        if let fix, isPermitted(fix) {
            times.append(fix.arrival + maxAge)
            if differs(fix) { times.append(publication.map { $0 + Self.pause } ?? now) }
        }
        return times.min().map { max($0, now) }
    }
}
