#if Store
internal import Taffrail
internal import TaffrailText

/// The path of a device between two places: from the end of one stay to the start of the next.
struct JourneyPath {
    /// Milliseconds since 1970, like all times here.
    private(set) var begin: Int64
    private(set) var from: ScaledCoordinate
    let start: Trip.Start
    private let zone: Int64?
    private var meter = PathMeter()
    /// The fixes that may become a visit: the fixes since the first one within the radius of the last.
    private(set) var window: [JourneyFix] = []
    /// The number of the last fixes outside the circle around the first of the window, and the time of the first of
    /// them.
    private var outside = 0
    private var outsideSince: Int64 = 0
    /// The time of the last check whether a visit has begun.
    private var checked: Int64?
    private var points: Int64 = 0
    var omittedFixes: Int64 = 0
    private var longestGap: Int64 = 0
    /// The time of the last fix that is certainly part of the path.
    private var passed: Int64
    /// The maximum distance from the start, in metres.
    private var farthest = 0.0

    /// The time between two checks whether a visit has begun, in milliseconds.
    private static let interval: Int64 = 5_000

    /// The maximum number of fixes in a window: five minutes at 200 Hz.
    private static let capacity = 60_000

    init(begin: Int64, from: ScaledCoordinate, start: Trip.Start, zone: Int64?) {
        (self.begin, self.from, self.start, self.zone) = (begin, from, start, zone)
        passed = begin
        meter.add(from, uncertainty: JourneyRules.usualAccuracy)
    }

    /// Whether the device has been farther from the start than the radius of a visit.
    var isTrip: Bool { farthest > JourneyRules.radius }

    /// The place and time of a visit at the end of a path.
    struct Arrival {
        var center: ScaledCoordinate
        /// The limit of the usual distance of the fixes from the centre.
        var core: Double
        /// Its fixes.
        var fixes: ArraySlice<JourneyFix>
    }

    /// Adds a fix.
    ///
    /// - Returns: The visit that has begun, if any; the path then ends before it.
    mutating func add(_ fix: JourneyFix) -> Arrival? {
        farthest = max(farthest, from.distance(to: fix.place))
        if let arrival = arrival(afterGapBefore: fix) { return arrival }
        window.append(fix)
        if window.count > Self.capacity { pass(Self.capacity / 2) }
        let first = window[0]
        if first.place.distance(to: fix.place) <= JourneyRules.radius {
            outside = 0
            guard fix.time &- first.time >= JourneyRules.dwell else { return nil }
            if let checked, (0..<Self.interval).contains(fix.time &- checked) { return nil }
            checked = fix.time
            return arrival()
        }
        outside += 1
        if outside == 1 { outsideSince = fix.time }
        guard outside >= 2, fix.time &- outsideSince >= JourneyRules.outside else { return nil }
        outside = 0
        let count = window.firstIndex { $0.place.distance(to: fix.place) <= JourneyRules.radius } ?? window.count - 1
        pass(count)
        return nil
    }

    /// Makes the first fixes of the window part of the path.
    private mutating func pass(_ count: Int) {
        for fix in window.prefix(count) {
            meter.add(fix.place, uncertainty: fix.uncertainty)
            longestGap = max(longestGap, fix.time &- passed)
            passed = fix.time
            points += 1
        }
        window.removeFirst(count)
    }

    /// Returns the visit in a gap: a gap as long as a visit, with ends near each other, is a visit, whatever
    /// preceded it.
    private mutating func arrival(afterGapBefore fix: JourneyFix) -> Arrival? {
        guard let last = window.last, fix.time &- last.time >= JourneyRules.dwell else { return nil }
        let distance = last.place.distance(to: fix.place)
        guard distance <= JourneyRules.radius else { return nil }
        pass(window.count - 1)
        window.append(fix)
        let middle = ScaledCoordinate(
            lat: (last.place.lat &+ fix.place.lat) / 2,
            lon: ScaledCoordinate.wrapped(last.place.lon &+ last.place.east(to: fix.place) / 2))
        return Arrival(center: middle, core: max(20, 0.6 * distance), fixes: window[...])
    }

    /// Returns the visit that the fixes of the window form, if any.
    private mutating func arrival() -> Arrival? {
        let origin = window[0].place
        // A fix is weighted by the time in which it was the nearest; a fix before a gap counts for half of the gap.
        let weights = window.indices.map { index in
            window[min(index + 1, window.count - 1)].time &- window[max(index - 1, 0)].time
        }
        let lat = Self.median(window.map(\.place.lat), weights)
        let turn = Self.median(window.map { origin.east(to: $0.place) }, weights)
        let middle = ScaledCoordinate(lat: lat, lon: ScaledCoordinate.wrapped(origin.lon &+ turn))
        let distances = window.map { middle.distance(to: $0.place) }
        let core = min(0.6 * JourneyRules.radius, max(20, 2.5 * Self.median(distances, weights)))
        guard let first = distances.firstIndex(where: { $0 <= core }), let last = window.last,
            last.time &- window[first].time >= JourneyRules.dwell,
            middle.distance(to: last.place) <= JourneyRules.radius
        else { return nil }
        pass(first)
        return Arrival(center: middle, core: core, fixes: window[...])
    }

    /// Returns the weighted median: half of the weight is below it, half above.
    private static func median<Value: Comparable>(_ values: [Value], _ weights: [Int64]) -> Value {
        let order = values.indices.sorted { values[$0] < values[$1] }
        let half = weights.reduce(0, &+) / 2
        var sum: Int64 = 0
        for index in order {
            sum &+= weights[index]
            if sum > half { return values[index] }
        }
        return values[order[order.count - 1]]
    }

    /// Returns the trip that ends at a visit.
    func trip(to arrival: Arrival) -> TripRow? {
        guard isTrip, let time = arrival.fixes.first?.time else { return nil }
        var path = self
        path.meter.add(arrival.center, uncertainty: JourneyRules.usualAccuracy)
        path.longestGap = max(longestGap, time &- passed)
        return path.row(to: arrival.center, time: time, .visit)
    }

    /// Returns the trip up to the last fix.
    func trip(_ end: Trip.End) -> TripRow? {
        guard isTrip, let last = window.last else { return nil }
        var path = self
        path.pass(window.count)
        return path.row(to: last.place, time: last.time, end)
    }

    private func row(to place: ScaledCoordinate, time: Int64, _ end: Trip.End) -> TripRow {
        TripRow(
            departure: begin, arrival: time, from: from, to: place, distance: (meter.length * 100).rounded() / 100,
            start: start, end: end,
            points: points, omittedFixes: omittedFixes, longestGap: longestGap, zone: zone)
    }

    /// Forgets the positions of the device before a time.
    ///
    /// - Returns: Whether anything remains.
    mutating func forget(before time: Int64) -> Bool {
        guard begin < time else { return true }
        window.removeAll { $0.time < time }
        guard let first = window.first else { return false }
        begin = first.time
        from = first.place
        passed = first.time
        meter.forgetPlaces()
        return true
    }
}

extension JourneyPath {
    func add(to object: inout JSONObject) {
        object.add("begin", whole: begin)
        object.add("from") { from.add(to: &$0) }
        object.add("start", start.rawValue)
        object.add("zone", whole: zone)
        object.add("meter") { meter.add(to: &$0) }
        object.add("window", window)
        object.add("outside", whole: outside)
        object.add("outsideSince", whole: outsideSince)
        object.add("checked", whole: checked)
        object.add("points", whole: points)
        object.add("leftOut", whole: omittedFixes)
        object.add("longestGap", whole: longestGap)
        object.add("passed", whole: passed)
        object.add("farthest", farthest)
    }

    init?(_ value: LogValue) {
        guard let begin = value["begin"]?.integer, let from = value["from"].flatMap({ ScaledCoordinate($0) }),
            let start = value["start"]?.text.flatMap({ Trip.Start(rawValue: $0) }),
            let meter = value["meter"].flatMap({ PathMeter($0) }),
            let window = JourneyFix.all(in: value["window"]), let outside = value["outside"]?.whole,
            let outsideSince = value["outsideSince"]?.integer, let points = value["points"]?.integer,
            let omittedFixes = value["leftOut"]?.integer, let longestGap = value["longestGap"]?.integer,
            let passed = value["passed"]?.integer, let farthest = value["farthest"]?.number
        else { return nil }
        (self.begin, self.from, self.start, self.meter, self.window) = (begin, from, start, meter, window)
        (self.outside, self.outsideSince, self.points) = (outside, outsideSince, points)
        (self.omittedFixes, self.longestGap) = (omittedFixes, longestGap)
        (self.passed, self.farthest) = (passed, farthest)
        zone = value["zone"]?.integer
        checked = value["checked"]?.integer
    }
}
#endif
