package import Taffrail

extension Timestamp {
    /// The whole seconds since 1970, rounded down.
    package var wholeSeconds: Int64 { CivilTime.floorDivide(nanoseconds, by: 1_000_000_000) }

    /// Returns the whole milliseconds since 1970, rounded down or up.
    package func milliseconds(roundedUp: Bool = false) -> Int64 {
        CivilTime.floorDivide(nanoseconds, by: 1_000_000) &+ (roundedUp && nanoseconds % 1_000_000 != 0 ? 1 : 0)
    }

    /// Returns the seconds from `start` to this time, for formulas and formats that have seconds.
    package func seconds(since start: Timestamp) -> Double {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        return overflow ? secondsSince1970 - start.secondsSince1970 : Double(difference) / 1e9
    }
}

extension Duration {
    /// Creates a duration from seconds, to the nanosecond and clamped to 292 years; 0 for NaN.
    package init(clampingSeconds seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds > 0 ? .max : nanoseconds < 0 ? .min : 0))
    }
}
