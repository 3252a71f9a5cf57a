#if Store
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

/// A device that stays at a place.
struct JourneyStay {
    /// Milliseconds since 1970, like all times here.
    private var arrival: Int64
    private(set) var center: ScaledCoordinate
    /// The centre in units of 1e-7 degrees, with fractions.
    private var lat: Double
    private var lon: Double
    /// The number of seconds over which the centre is averaged.
    private var weight: Double
    private let core: Double
    private let zone: Int64?
    /// The last fix near the centre.
    private(set) var lastNear: Int64
    private(set) var last: JourneyFix
    /// The fixes since then.
    private(set) var edge: [JourneyFix] = []
    /// The number of these fixes outside the radius, and the time of the first; and the number of clearly distant ones.
    private(set) var outside = 0
    private var outsideSince: Int64 = 0
    private var clear = 0
    private var points: Int64 = 0
    private var longestGap: Int64 = 0

    /// Begins a visit with fixes, at least one.
    init?(_ visit: JourneyPath.Arrival, into findings: inout JourneyFindings) {
        guard let first = visit.fixes.first else { return nil }
        arrival = first.time
        center = visit.center
        (lat, lon) = (Double(center.lat), Double(center.lon))
        weight = Double((visit.fixes.last?.time ?? first.time) &- first.time) / 1_000
        core = visit.core
        zone = first.zone
        lastNear = first.time
        last = first
        for fix in visit.fixes {
            longestGap = max(longestGap, fix.time &- last.time)
            points += 1
            last = fix
            let distance = center.distance(to: fix.place)
            if distance <= core {
                lastNear = fix.time
                edge.removeAll()
            } else if distance <= JourneyRules.radius {
                edge.append(fix)
            } else {
                findings.excluded.append((fix, .drift))
            }
        }
    }

    /// Adds a fix.
    ///
    /// - Returns: Whether the device has left.
    mutating func add(_ fix: JourneyFix, into findings: inout JourneyFindings) -> Bool {
        let distance = center.distance(to: fix.place)
        guard distance > JourneyRules.radius else {
            returned(into: &findings)
            let gap = fix.time &- last.time
            longestGap = max(longestGap, gap)
            last = fix
            points += 1
            move(towards: fix.place, by: Double(min(gap, JourneyRules.dwell)) / 1_000)
            if distance <= core {
                lastNear = fix.time
                edge.removeAll(keepingCapacity: true)
            } else {
                edge.append(fix)
                forgetEdge(fix.time)
            }
            return false
        }
        edge.append(fix)
        last = fix
        outside += 1
        if outside == 1 { outsideSince = fix.time }
        let beyond = distance - fix.uncertainty
        if beyond > JourneyRules.clearly { clear += 1 }
        let lasted = fix.time &- outsideSince
        return clear >= 2 || outside >= 2 && lasted >= JourneyRules.dwell && beyond > JourneyRules.radius
            || lasted >= JourneyRules.doubt
    }

    /// Flags the fixes outside as drift.
    private mutating func returned(into findings: inout JourneyFindings) {
        guard outside > 0 else { return }
        edge.removeAll { fix in
            guard center.distance(to: fix.place) > JourneyRules.radius else { return false }
            findings.excluded.append((fix, .drift))
            return true
        }
        (outside, clear) = (0, 0)
    }

    /// Forgets the fixes of a device that has been at the edge for a long time and has not left.
    private mutating func forgetEdge(_ now: Int64) {
        let old = edge.prefix { now &- $0.time > JourneyRules.dwell }
        guard let last = old.last else { return }
        lastNear = last.time
        edge.removeFirst(old.count)
    }

    private mutating func move(towards place: ScaledCoordinate, by seconds: Double) {
        guard seconds > 0 else { return }
        weight += seconds
        lat += (Double(place.lat) - lat) * seconds / weight
        lon += Double(center.east(to: place)) * seconds / weight
        lon = Geodesy.wrapped(lon, turn: 3.6e9)
        center = ScaledCoordinate(lat: Int64(lat.rounded()), lon: Int64(lon.rounded()))
    }

    /// Returns the visit, up to the last fix near the centre.
    func row(isOpen: Bool = false) -> VisitRow {
        let inside = edge.count { center.distance(to: $0.place) <= JourneyRules.radius }
        return VisitRow(
            arrival: arrival, departure: max(arrival, isOpen || outside == 0 ? lastInside : lastNear), center: center,
            points: points - (isOpen ? 0 : Int64(inside)), longestGap: longestGap, zone: zone, isOpen: isOpen)
    }

    /// The last fix within the radius.
    private var lastInside: Int64 {
        edge.last { center.distance(to: $0.place) <= JourneyRules.radius }?.time ?? lastNear
    }

    /// Forgets the positions of the device before a time.
    ///
    /// - Returns: Whether anything remains.
    mutating func forget(before time: Int64) -> Bool {
        guard last.time >= time else { return false }
        arrival = max(arrival, time)
        lastNear = max(lastNear, time)
        edge.removeAll { $0.time < time }
        return true
    }
}

extension JourneyStay {
    func add(to object: inout JSONObject) {
        object.add("arrival", whole: arrival)
        object.add("center") { center.add(to: &$0) }
        object.add("lat", lat)
        object.add("lon", lon)
        object.add("weight", weight)
        object.add("core", core)
        object.add("zone", whole: zone)
        object.add("lastNear", whole: lastNear)
        object.add("last", last)
        object.add("edge", edge)
        object.add("outside", whole: outside)
        object.add("outsideSince", whole: outsideSince)
        object.add("clear", whole: clear)
        object.add("points", whole: points)
        object.add("longestGap", whole: longestGap)
    }

    init?(_ value: LogValue) {
        guard let arrival = value["arrival"]?.integer, let center = value["center"].flatMap({ ScaledCoordinate($0) }),
            let lat = value["lat"]?.number, let lon = value["lon"]?.number, let weight = value["weight"]?.number,
            let core = value["core"]?.number, let lastNear = value["lastNear"]?.integer,
            let last = value["last"].flatMap({ JourneyFix($0) }), let edge = JourneyFix.all(in: value["edge"]),
            let outside = value["outside"]?.whole, let outsideSince = value["outsideSince"]?.integer,
            let clear = value["clear"]?.whole, let points = value["points"]?.integer,
            let longestGap = value["longestGap"]?.integer
        else { return nil }
        (self.arrival, self.center, self.lat, self.lon) = (arrival, center, lat, lon)
        (self.weight, self.core, self.lastNear, self.last, self.edge) = (weight, core, lastNear, last, edge)
        (self.outside, self.outsideSince, self.clear) = (outside, outsideSince, clear)
        (self.points, self.longestGap) = (points, longestGap)
        zone = value["zone"]?.integer
    }
}
#endif
