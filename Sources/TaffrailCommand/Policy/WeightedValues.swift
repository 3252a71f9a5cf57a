/// Values with weights, for their mean and quantiles.
struct WeightedValues: Sendable, Hashable {
    private(set) var values: [Double] = []
    private(set) var weights: [Double] = []

    mutating func add(_ value: Double, weight: Double) {
        guard value.isFinite, weight > 0 else { return }
        values.append(value)
        weights.append(weight)
    }

    /// The largest value; `nil` without values.
    var maximum: Double? { values.max() }

    /// The mean; `nil` without values.
    var mean: Double? {
        let weight = weights.reduce(0, +)
        return weight > 0 ? zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } / weight : nil
    }

    /// Returns the value that is not exceeded during a share of the time; `nil` without values.
    func quantile(_ share: Double) -> Double? {
        var rest = weights.reduce(0, +) * share
        for (value, weight) in zip(values, weights).sorted(by: { $0.0 < $1.0 }) {
            rest -= weight
            if rest <= 0 { return value }
        }
        return maximum
    }
}
