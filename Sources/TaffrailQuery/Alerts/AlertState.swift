internal import Taffrail

/// The state of a rule, or of one of its devices.
struct AlertState: Sendable, Hashable {
    /// An alert that has been raised and has not ended.
    struct Raised: Sendable, Hashable {
        /// The identity that the reports of its beginning and its end share.
        var id: String
        /// The time at which it was raised.
        var time: Timestamp
    }

    /// The number of records in each step of the window, in the order of time.
    private(set) var counts: [(step: Int64, count: Int)] = []
    /// The alert; `nil` if there is none.
    var raised: Raised?
    /// The time of the last record; `nil`: none is known.
    var last: Timestamp?
    /// The start of the silence, by the monotonic clock, which neither jumps nor runs while the machine is suspended.
    var silentSince: Int64

    /// Creates a state.
    ///
    /// - Parameter now: The time on the monotonic clock.
    init(now: Int64) { silentSince = now }

    /// Counts records of a step. Steps before the window that ends with the newest step are not counted.
    mutating func count(_ step: Int64, _ number: Int = 1) {
        let newest = max(step, counts.last?.step ?? step)
        counts.removeAll { $0.step <= newest &- AlertRule.steps }
        guard step > newest &- AlertRule.steps else { return }
        let index = counts.lastIndex { $0.step <= step } ?? -1
        if index >= 0, counts[index].step == step {
            counts[index].count &+= number
        } else {
            counts.insert((step, number), at: index + 1)
        }
    }

    /// Removes the counts made while the clock was ahead.
    mutating func forget(after step: Int64) { counts.removeAll { $0.step > step } }

    /// Returns the number of records in the window that ends with a step, or with the newest one that has records.
    func total(at step: Int64) -> Int {
        let end = max(step, counts.last?.step ?? step)
        return counts.reduce(0) { $1.step > end &- AlertRule.steps ? $0 &+ $1.count : $0 }
    }

    static func == (left: AlertState, right: AlertState) -> Bool {
        left.raised == right.raised && left.last == right.last
            && left.counts.elementsEqual(right.counts) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(raised) }
}
