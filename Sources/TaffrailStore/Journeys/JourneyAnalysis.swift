#if Store
internal import Taffrail
internal import TaffrailText

/// Divides the fixes of one device, in chronological order, into visits and trips. Decision note 0002 describes the
/// rules.
///
/// Its memory is bounded, and it can be encoded to continue later from the same state.
struct JourneyAnalysis {
    private var filter = FixFilter()
    /// Exactly one of the two is set after the first fix.
    private var path: JourneyPath?
    private var stay: JourneyStay?
    /// Whether there has been no fix yet.
    private var isNew = true

    /// Creates an analysis without fixes.
    init() {}

    /// Adds the next fix.
    mutating func take(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        switch filter.take(fix) {
        case .good: follow(fix, into: &findings)
        case .held: break
        case .inaccurate: exclude([fix], .inaccurate, into: &findings)
        case .jumps(let jumps):
            exclude(jumps, .jump, into: &findings)
            follow(fix, into: &findings)
        case .confirmed(let earlier): for fix in earlier + [fix] { follow(fix, into: &findings) }
        }
    }

    private mutating func exclude(
        _ fixes: [JourneyFix], _ reason: TrackPoint.Flags, into findings: inout JourneyFindings
    ) {
        for fix in fixes { findings.excluded.append((fix, reason)) }
        path?.omittedFixes += Int64(fixes.count)
    }

    private mutating func follow(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        if stay != nil { remain(fix, into: &findings) } else { move(fix, into: &findings) }
    }

    private mutating func remain(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        guard let stay else { return }
        let isAway = stay.center.distance(to: fix.place) > JourneyRules.radius
        if isAway, fix.time &- stay.last.time >= JourneyRules.pause {
            // The route between them is unknown.
            leave(into: &findings)
            // The fixes at the edge of the visit may be another one.
            return follow(fix, into: &findings)
        }
        if self.stay?.add(fix, into: &findings) == true { leave(into: &findings) }
    }

    /// Ends a visit. The fixes after it are the start of a trip.
    private mutating func leave(into findings: inout JourneyFindings) {
        guard let stay else { return }
        findings.visits.append(stay.row())
        self.stay = nil
        guard stay.outside > 0, let first = stay.edge.first else { return }
        path = JourneyPath(begin: stay.lastNear, from: stay.center, start: .visit, zone: first.zone)
        for fix in stay.edge { follow(fix, into: &findings) }
    }

    private mutating func move(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        var start = isNew ? Trip.Start.first : .gap
        if let path, let last = path.window.last, fix.time &- last.time >= JourneyRules.pause,
            last.place.distance(to: fix.place) > JourneyRules.radius
        {
            if let trip = path.trip(.gap) { findings.trips.append(trip) }
            self.path = nil
            start = .gap
        }
        isNew = false
        var path = self.path ?? JourneyPath(begin: fix.time, from: fix.place, start: start, zone: fix.zone)
        self.path = nil
        guard let arrival = path.add(fix) else {
            self.path = path
            return
        }
        if let trip = path.trip(to: arrival) { findings.trips.append(trip) }
        stay = JourneyStay(arrival, into: &findings)
    }

    /// The visit or the trip that has not ended.
    var open: (visit: VisitRow?, trip: TripRow?) { (stay?.row(isOpen: true), path?.trip(.open)) }

    /// The fixes that are still undecided.
    var undecided: [JourneyFix] { filter.held + (stay?.edge ?? []) }

    /// Forgets the positions of the device before a time, in milliseconds since 1970.
    mutating func forget(before time: Int64) {
        filter.forget(before: time)
        if path?.forget(before: time) == false { path = nil }
        if stay?.forget(before: time) == false { stay = nil }
    }
}

// MARK: JSON

extension JourneyAnalysis {
    /// The key of the path in stored states.
    private static let pathKey = "way"

    /// Returns the state as a string.
    func encoded() -> String {
        var object = JSONObject()
        object.add("filter") { filter.add(to: &$0) }
        if let path { object.add(Self.pathKey) { path.add(to: &$0) } }
        if let stay { object.add("stay") { stay.add(to: &$0) } }
        object.add("isNew", isNew)
        return object.string
    }

    /// Reads a state. A version that changes its contents must delete the states of earlier versions, with all results.
    init(encoded text: String) throws {
        guard let value = LogValue(json: text.utf8), let analysis = JourneyAnalysis(value) else {
            throw ReadError(offset: 0, line: 1, reason: "not the state of an analysis")
        }
        self = analysis
    }

    private init?(_ value: LogValue) {
        guard let filter = value["filter"].flatMap({ FixFilter($0) }), let isNew = value["isNew"]?.flag else {
            return nil
        }
        self.filter = filter
        self.isNew = isNew
        path = value[Self.pathKey].flatMap { JourneyPath($0) }
        stay = value["stay"].flatMap { JourneyStay($0) }
        guard (path == nil) == (value[Self.pathKey] == nil), (stay == nil) == (value["stay"] == nil) else { return nil }
    }
}
#endif
