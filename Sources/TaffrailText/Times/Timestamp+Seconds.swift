package import Taffrail

extension Timestamp {
    /// Returns a time some seconds later, clamped to the range.
    package static func + (time: Timestamp, seconds: Double) -> Timestamp {
        let step = (seconds * 1e9).rounded()
        guard abs(step) < 9.2e18 else { return Timestamp(nanoseconds: step < 0 ? .min : .max) }
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(Int64(step))
        return Timestamp(nanoseconds: overflow ? (step < 0 ? .min : .max) : sum)
    }

    /// Returns a time some seconds earlier.
    package static func - (time: Timestamp, seconds: Double) -> Timestamp { time + -seconds }

    /// Returns the seconds from `start` to this time.
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
