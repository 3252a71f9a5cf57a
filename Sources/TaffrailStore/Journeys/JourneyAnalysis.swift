#if Store
/// Divides the fixes of one device, in the order of time, into visits and trips. Decision note 0015 describes how.
///
/// Its memory is bounded, and it can be encoded: it continues where it was.
struct JourneyAnalysis: Codable {
    private var filter = FixFilter()
    /// One of both, once there was a fix.
    private var way: JourneyWay?
    private var stay: JourneyStay?
    /// Whether there was no fix yet.
    private var isNew = true

    /// Nothing has been taken.
    init() {}

    /// Takes the next fix.
    mutating func take(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        switch filter.take(fix) {
        case .good: follow(fix, into: &findings)
        case .held: break
        case .inaccurate: leaveOut([fix], .inaccurate, into: &findings)
        case .jumps(let jumps):
            leaveOut(jumps, .jump, into: &findings)
            follow(fix, into: &findings)
        case .believed(let earlier): for fix in earlier + [fix] { follow(fix, into: &findings) }
        }
    }

    private mutating func leaveOut(
        _ fixes: [JourneyFix], _ reason: TrackPoint.Flags, into findings: inout JourneyFindings
    ) {
        for fix in fixes { findings.judged.append((fix, reason)) }
        way?.leftOut += Int64(fixes.count)
    }

    private mutating func follow(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        if stay != nil { remain(fix, into: &findings) } else { move(fix, into: &findings) }
    }

    private mutating func remain(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        guard let stay else { return }
        let isAway = stay.center.distance(to: fix.place) > JourneyRules.radius
        if isAway, fix.time &- stay.last.time >= JourneyRules.pause {
            // How it got there is not known.
            leave(into: &findings)
            return move(fix, into: &findings)
        }
        if self.stay?.add(fix, into: &findings) == true { leave(into: &findings) }
    }

    /// Ends a visit. What came after it is the begin of a trip.
    private mutating func leave(into findings: inout JourneyFindings) {
        guard let stay else { return }
        findings.visits.append(stay.row())
        self.stay = nil
        guard stay.outside > 0, let first = stay.edge.first else { return }
        way = JourneyWay(begin: stay.lastNear, from: stay.center, start: .visit, zone: first.zone)
        for fix in stay.edge { follow(fix, into: &findings) }
    }

    private mutating func move(_ fix: JourneyFix, into findings: inout JourneyFindings) {
        var start = isNew ? Trip.Start.first : .gap
        if let way, let last = way.window.last, fix.time &- last.time >= JourneyRules.pause,
            last.place.distance(to: fix.place) > JourneyRules.radius
        {
            if let trip = way.trip(.gap) { findings.trips.append(trip) }
            self.way = nil
            start = .gap
        }
        isNew = false
        var way = self.way ?? JourneyWay(begin: fix.time, from: fix.place, start: start, zone: fix.zone)
        self.way = nil
        guard let arrival = way.add(fix) else {
            self.way = way
            return
        }
        if let trip = way.trip(to: arrival) { findings.trips.append(trip) }
        stay = JourneyStay(arrival, into: &findings)
    }

    /// The visit or the trip that has not ended.
    var open: (visit: VisitRow?, trip: TripRow?) { (stay?.row(isOpen: true), way?.trip(.open)) }

    /// The fixes about which nothing has been found yet, but may be.
    var undecided: [JourneyFix] { filter.held + (stay?.edge ?? []) }

    /// Forgets where the device was before a time, in milliseconds since 1970.
    mutating func forget(before time: Int64) {
        filter.forget(before: time)
        if way?.forget(before: time) == false { way = nil }
        if stay?.forget(before: time) == false { stay = nil }
    }
}
#endif
