internal import Taffrail
internal import TaffrailGeo

/// Runs a policy over the fixes of one recording.
struct PolicyTrial {
    /// The longest time between two fixes that counts as time on the track.
    private static let gap = Duration.minutes(10)

    let fixes: [Location]
    let constants: PolicyConstants

    /// - Parameter fixes: In order; those without an accuracy get the accuracy of the constants.
    init(_ fixes: [Location], _ constants: PolicyConstants) {
        self.fixes = fixes.map { fix in
            var fix = fix
            fix.horizontalAccuracy = fix.horizontalAccuracy ?? constants.accuracy
            return fix
        }
        self.constants = constants
    }

    /// Adds the run of a policy to a result.
    func run(_ policy: some SimulatedPolicy, into result: inout PolicyResult) {
        var policy = policy
        var step = SimulatedStep(mode: .stationaryDay, ping: nil, source: .open)
        var lastLook: Location?
        var pings: [(index: Int, fix: Location)] = []
        for (index, fix) in fixes.enumerated() {
            let elapsed: Duration = index > 0 ? max(.zero, fix.timestamp - fixes[index - 1].timestamp) : .zero
            if index > 0 { result.times[step.mode, default: .zero] += elapsed }
            if let lastLook {
                switch step.source {
                case .open: result.gpsTime += elapsed
                case .closedFor(let time):
                    let passed = fix.timestamp - lastLook.timestamp
                    guard passed >= time || passed < .zero else { continue }
                    result.gpsTime += min(max(passed, .zero), constants.fixTime)
                case .closedUntilMoved(let metres):
                    guard lastLook.distance(from: fix) >= metres else { continue }
                    result.gpsTime += constants.fixTime
                }
            } else {
                result.gpsTime += constants.fixTime
            }
            lastLook = fix
            step = policy.take(fix)
            guard let ping = step.ping else { continue }
            result.pings += 1
            // A heartbeat repeats a known ping.
            if ping.timestamp == fix.timestamp { pings.append((index, ping)) }
        }
        addErrors(of: pings, to: &result.error)
        let seconds = result.gpsTime / .seconds(1)
        result.energy = (seconds * constants.gpsPower + Double(result.pings) * constants.pingEnergy) / 1_000
    }

    /// Adds the distance of each fix to the line between the pings around it, for the time until the next fix.
    private func addErrors(of pings: [(index: Int, fix: Location)], to error: inout WeightedValues) {
        guard var before = pings.first else { return }
        var next = 0
        for (index, fix) in fixes.enumerated() {
            let after = index + 1 < fixes.count ? fixes[index + 1] : fix
            let time = min(Self.gap, max(.zero, after.timestamp - fix.timestamp))
            while next < pings.count, pings[next].index <= index {
                before = pings[next]
                next += 1
            }
            let end = next < pings.count ? pings[next] : before
            error.add(
                Self.distance(of: fix.coordinate, from: before.fix.coordinate, to: end.fix.coordinate),
                weight: time / .seconds(1))
        }
    }

    /// Returns the distance of a point to a segment in metres, on the plane that touches the earth at the point. Exact
    /// to parts per thousand at the distances that occur.
    static func distance(of point: Coordinate, from start: Coordinate, to end: Coordinate) -> Double {
        let plane = TangentPlane(point)
        let (one, other) = (plane.place(start), plane.place(end))
        let (x, y) = (other.x - one.x, other.y - one.y)
        let length = x * x + y * y
        let share = length > 0 ? min(1, max(0, -(one.x * x + one.y * y) / length)) : 0
        let (east, north) = (one.x + share * x, one.y + share * y)
        return (east * east + north * north).squareRoot()
    }
}
