internal import TaffrailGeo

/// The last fix, and what records have of it: decides what is published when. Times are those since the context's start, of a
/// clock that only goes forward.
struct FixCache: Sendable {
    /// Where a fix comes from, and with it whose permission it needs.
    enum Origin: Sendable, Hashable, CaseIterable {
        case inputs
        case request
    }

    /// A fix.
    struct Fix: Sendable, Hashable {
        var location: Location
        /// The name that stands for the coordinates of a place.
        var place: String?
        /// When it arrived, which differs from the time that the source gives.
        var arrival: Duration
        /// Whose permission it needs; `nil`, of a fix that an earlier run has kept: that of all.
        var origin: Origin?
    }

    /// What is to be done with the published attributes.
    enum Action: Sendable, Hashable {
        case keep
        case publish(Fix)
        case clear
    }

    /// How far one must move for new attributes, in metres.
    static let distance = 10.0
    /// How long published attributes stay at least.
    static let pause = Duration.seconds(1)
    /// After how long the time of a fix is published that has not moved.
    static let standstill = Duration.seconds(60)

    private let refresh: Duration
    private let maxAge: Duration
    private(set) var fix: Fix?
    /// What records have.
    private var published: Fix?
    private var publication: Duration?
    private var request: Duration?
    private var permissions: [Origin: AuthorizationStatus] = [:]
    var isInBackground = false

    init(refresh: Duration, maxAge: Duration) {
        self.refresh = refresh
        self.maxAge = maxAge
    }

    /// Takes a fix, unless its source may not be used. The answer to a request that was made before the last fix of the
    /// inputs arrived may be older than that fix, and is ignored.
    mutating func take(_ new: Fix) {
        guard isPermitted(new) else { return }
        if new.origin == .request, let fix, fix.origin == .inputs, let request, fix.arrival >= request { return }
        fix = new
    }

    /// Takes what a source allows.
    ///
    /// - Returns: Whether that is nothing, so that the last fix is forgotten.
    mutating func permit(_ status: AuthorizationStatus, _ origin: Origin) -> Bool {
        permissions[origin] = status
        guard Self.isDenied(status), fix.map({ $0.origin == nil || $0.origin == origin }) == true else { return false }
        fix = nil
        return true
    }

    /// Forgets the last fix.
    mutating func forget() { fix = nil }

    private static func isDenied(_ status: AuthorizationStatus) -> Bool { status == .denied || status == .restricted }

    private func isPermitted(_ fix: Fix) -> Bool {
        let origins = fix.origin.map { [$0] } ?? Origin.allCases
        return origins.allSatisfy { origin in
            guard let status = permissions[origin] else { return true }
            return !Self.isDenied(status) && !(isInBackground && status == .authorizedWhenInUse)
        }
    }

    /// What is to be done now; the caller does it.
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
        return .publish(fix)
    }

    private func differs(_ fix: Fix) -> Bool {
        guard let published else { return true }
        if fix.place != published.place { return true }
        // What has not moved is published now and then for its time, which else would be older than it may be.
        if fix.arrival - published.arrival >= min(Self.standstill, maxAge / 2) { return true }
        guard fix.place == nil, fix.location.coordinate != published.location.coordinate else { return false }
        return fix.location.distance(from: published.location) >= Self.distance
    }

    /// Whether a fix is to be requested now, which then counts as done.
    mutating func takeRequest(at now: Duration) -> Bool {
        guard let due = requestDue, now >= due else { return false }
        request = now
        return true
    }

    /// When a fix is to be requested: when none came within `refresh`, and again after half of it.
    private var requestDue: Duration? {
        if isInBackground { return nil }
        let missing = fix.map { $0.arrival + refresh } ?? .zero
        return max(missing, request.map { $0 + refresh / 2 } ?? missing)
    }

    /// When there is something to do next.
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
