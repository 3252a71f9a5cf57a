#if Store
internal import Taffrail
internal import TaffrailText

/// Finds fixes that cannot be the device's true position, because they jump away and back.
///
/// A fix is held if its distance from the last good one would require a speed or an acceleration beyond the device's.
/// When a later fix is near the last good one again, the held fixes are a jump; when fixes stay at the new position,
/// they are accepted.
struct FixFilter {
    private var last: JourneyFix?
    /// The speed at which the last good fix was reached, in metres per second.
    private var pace = 0.0
    private(set) var held: [JourneyFix] = []

    /// The number of held fixes that are accepted; half as many are enough if they span a minute.
    private static let limit = 6

    /// The result for a fix.
    enum Verdict: Equatable {
        /// The fix is good.
        case good
        /// The fix is too inaccurate to be considered.
        case inaccurate
        /// Not known yet.
        case held
        /// The fix is good; the held fixes before it are jumps.
        case jumps([JourneyFix])
        /// The fix is good, and so are the held fixes before it.
        case confirmed([JourneyFix])
    }

    mutating func take(_ fix: JourneyFix) -> Verdict {
        if fix.uncertainty > JourneyRules.accuracyLimit { return .inaccurate }
        guard let last else {
            accept(fix)
            return .good
        }
        if Self.isPossible(from: last, to: fix, pace) {
            let jumped = held
            held = []
            accept(fix)
            guard let latest = jumped.last else { return .good }
            // A fix near the held ones shows that they are good, and that the device needed time to move there.
            let isWithThem = latest.place.distance(to: fix.place) < last.place.distance(to: fix.place)
            return isWithThem ? .confirmed(jumped) : .jumps(jumped)
        }
        held.append(fix)
        let span = fix.time &- held[0].time
        guard held.count >= Self.limit || held.count >= Self.limit / 2 && span >= 60_000 else { return .held }
        let confirmed = held
        held = []
        self.last = confirmed.first
        pace = 0
        for fix in confirmed.dropFirst() { accept(fix) }
        return .confirmed(Array(confirmed.dropLast()))
    }

    /// Forgets the positions of the device before a time.
    mutating func forget(before time: Int64) {
        held.removeAll { $0.time < time }
        guard let last, last.time < time else { return }
        self.last = nil
        pace = 0
    }

    private mutating func accept(_ fix: JourneyFix) {
        if let last {
            // Over a short time, noise must not count as a speed.
            let seconds = max(1, Double(fix.time &- last.time) / 1_000)
            let distance = last.place.distance(to: fix.place)
            pace = max(0, distance - (last.uncertainty + fix.uncertainty) / 2) / seconds
        }
        last = fix
    }

    /// Returns whether a device can have moved from one fix to another: at one and a half times its speed, plus an
    /// acceleration of 10 m/s² up to another 40 m/s.
    private static func isPossible(from last: JourneyFix, to fix: JourneyFix, _ pace: Double) -> Bool {
        let distance = last.place.distance(to: fix.place) - last.uncertainty - fix.uncertainty
        guard distance > 0 else { return true }
        let seconds = max(0.1, Double(fix.time &- last.time) / 1_000)
        let reported = Double(max(last.speed ?? 0, fix.speed ?? 0)) / 100
        return distance <= (max(pace, reported) * 1.5 + min(10 * seconds, 40) + 2) * seconds
    }
}

extension FixFilter {
    func add(to object: inout JSONObject) {
        if let last { object.add("last", last) }
        object.add("pace", pace)
        object.add("held", held)
    }

    init?(_ value: LogValue) {
        guard let pace = value["pace"]?.number, let held = JourneyFix.all(in: value["held"]) else { return nil }
        if let last = value["last"] {
            guard let last = JourneyFix(last) else { return nil }
            self.last = last
        }
        self.pace = pace
        self.held = held
    }
}
#endif
