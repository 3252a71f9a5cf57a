/// Durations in options and messages: `30s`, `1h30m`.
package enum DurationText {
    /// The units and their lengths in nanoseconds. Of equal ones the first is used for output.
    private static let units: [(name: String, size: Int)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1000), ("ns", 1),
        ("w", 604_800_000_000_000), ("min", 60_000_000_000), ("µs", 1000),
    ]

    /// Parses numbers with units, which spaces may separate: `250ms`, `30s`, `1h30m`, `1.5h`. Units are `ns`, `us`
    /// (`µs`), `ms`, `s`, `m` (`min`), `h`, `d` and `w`. Only `0` needs none.
    ///
    /// - Returns: `nil` for any other string, and for more than 292 years.
    package static func duration(_ text: String) -> Duration? {
        if text == "0" { return .zero }
        let text = Array(text.utf8)
        var index = 0
        var total = 0
        repeat {
            guard let part = Amount.parse(text, at: &index, units) else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { return nil }
            total = sum
            while index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
        } while index < text.count
        return .nanoseconds(total)
    }

    /// Returns integers with units, largest first: `1h30m`, `250ms`, `0s`.
    package static func text(_ duration: Duration) -> String {
        var rest = Int(duration.nanoseconds)
        var text = ""
        for unit in units.prefix(7) where rest >= unit.size {
            text += "\(rest / unit.size)\(unit.name)"
            rest %= unit.size
        }
        return text.isEmpty ? "0s" : text
    }

    /// Returns the reason for rejecting an option's value; durations in it are in the form of ``text(_:)``.
    static func outside<T>(_ range: ClosedRange<T>, _ value: T) -> String {
        func text(_ value: T) -> String { (value as? Duration).map(self.text) ?? "\(value)" }
        return "must be from \(text(range.lowerBound)) to \(text(range.upperBound)), not \(text(value))"
    }
}
