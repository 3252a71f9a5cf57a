#if Command
/// Delays against the best one, in milliseconds, in the order of the events.
struct Delays: Sendable {
    let inOrder: [Double]
    let sorted: [Double]
    /// The maximum, without events that were due while a core of this machine stood still and came right after that.
    let ownMaximum: Double
    /// How often a core stood still, and the longest time, in milliseconds.
    let standstills: (count: Int, longest: Double)

    /// - Parameters:
    ///   - arrivals: When the positions came, in milliseconds of the monotonic clock.
    ///   - interval: From one to the next, in milliseconds.
    init(_ arrivals: [Double], each interval: Double, standstills: [Standstill]) {
        let late = arrivals.enumerated().map { $1 - Double($0) * interval }
        let best = late.min() ?? 0
        inOrder = late.map { $0 - best }
        sorted = inOrder.sorted()
        ownMaximum =
            zip(arrivals, inOrder).lazy
            .filter { arrival, late in !standstills.contains { $0.explains(arrival, late: late) } }
            .map(\.1).max() ?? 0
        self.standstills = (standstills.count, standstills.map(\.length).max() ?? 0)
    }

    func quantile(_ share: Double) -> Double { sorted[min(inOrder.count - 1, Int(Double(inOrder.count) * share))] }
    var maximum: Double { sorted.last ?? 0 }
    /// By how much the last quarter's median is above the first one's.
    var growth: Double {
        let quarter = inOrder.count / 4
        let (first, last) = (inOrder.prefix(quarter).sorted(), inOrder.suffix(quarter).sorted())
        return last[quarter / 2] - first[quarter / 2]
    }

    /// Whether a replay kept its times as well as this machine allowed just then, measured by a process that only slept
    /// from one time to the next.
    ///
    /// An event that comes early makes all the others late against it, so the median shows it; times that are too long
    /// or too short grow. Each position passes several threads, each of which waits as that process did.
    func areKept(beside sleeper: Delays) -> Bool {
        let bound = 50 + 10 * (sleeper.quantile(0.5) + abs(sleeper.growth))
        return quantile(0.5) <= bound && abs(growth) <= bound
    }
}
#endif
