internal import Taffrail
internal import TaffrailText

/// The accuracy of a replay: how late events were replayed. Uses constant memory.
public struct ReplayTiming: Sendable, Hashable, CustomStringConvertible {
    /// The number of events replayed on schedule, without steps and events replayed as fast as possible.
    public private(set) var count = 0
    /// The largest delay.
    public private(set) var maximum = Duration.zero
    /// Counts of delays by size: below 64 µs, one for each microsecond; above, 32 for each doubling, accurate to 3 %.
    private var counts: [Int] = []

    private static let steps = 32

    /// No events yet.
    public init() {}

    /// Adds a delay; negative ones count as 0.
    public mutating func add(_ delay: Duration) {
        let delay = max(.zero, delay)
        let index = Self.index(delay.nanoseconds)
        if index >= counts.count { counts += Array(repeating: 0, count: index + 1 - counts.count) }
        counts[index] += 1
        count += 1
        maximum = max(maximum, delay)
    }

    private static func index(_ nanoseconds: Int64) -> Int {
        let microseconds = Int(nanoseconds / 1_000)
        guard microseconds >= 2 * steps else { return microseconds }
        let exponent = Int.bitWidth - 1 - microseconds.leadingZeroBitCount
        let doubling = exponent - 5
        return doubling * steps + microseconds >> doubling
    }

    /// Returns the upper end of the delays counted at an index of ``counts``.
    private static func delay(_ index: Int) -> Duration {
        guard index >= 2 * steps else { return .microseconds(index + 1) }
        let doubling = index / steps - 1
        return .microseconds((index - doubling * steps + 1) << doubling)
    }

    /// Returns the delay that a share of events, such as 0.99, did not exceed; accurate to 3 %.
    public func quantile(_ share: Double) -> Duration {
        var left = Int((Double(count) * min(1, max(0, share))).rounded(.up))
        for (index, number) in counts.enumerated() {
            left -= number
            if left <= 0 && number > 0 { return min(Self.delay(index), maximum) }
        }
        return maximum
    }

    /// For example `245 events, late by p50 0.06 ms, p99 0.11 ms, max 0.40 ms`.
    public var description: String {
        guard count > 0 else { return "no event was scheduled" }
        var text: [UInt8] = []
        text.append(contentsOf: CountText.text(count, "event").utf8)
        text.append(", late by p50 ")
        for (value, name) in [(quantile(0.5), " ms, p99 "), (quantile(0.99), " ms, max "), (maximum, " ms")] {
            text.append(real: value / .milliseconds(1), decimals: 2)
            text.append(contentsOf: name.utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
