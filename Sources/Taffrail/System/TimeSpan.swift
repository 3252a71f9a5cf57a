/// A length of time, as options have it: `30s` or `1h30m` in a configuration, `.seconds(30)` in code.
public struct TimeSpan: Sendable, Hashable, Comparable {
    /// Nanoseconds, from 0; at most 292 years.
    public var nanoseconds: Int64

    /// Makes a span from nanoseconds; negative ones count as 0.
    public init(nanoseconds: Int64) { self.nanoseconds = max(0, nanoseconds) }

    /// No time at all.
    public static let zero = TimeSpan(nanoseconds: 0)

    /// So many thousandths of a second.
    public static func milliseconds(_ count: Int64) -> TimeSpan { times(count, 1_000_000) }

    /// So many seconds.
    public static func seconds(_ count: Int64) -> TimeSpan { times(count, 1_000_000_000) }

    /// So many minutes.
    public static func minutes(_ count: Int64) -> TimeSpan { times(count, 60_000_000_000) }

    /// So many hours.
    public static func hours(_ count: Int64) -> TimeSpan { times(count, 3_600_000_000_000) }

    /// So many days of 24 hours.
    public static func days(_ count: Int64) -> TimeSpan { times(count, 86_400_000_000_000) }

    private static func times(_ count: Int64, _ unit: Int64) -> TimeSpan {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return TimeSpan(nanoseconds: overflow ? .max : product)
    }

    /// Seconds.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// The same as the standard library's type.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// Whether `lhs` is shorter than `rhs`.
    public static func < (lhs: TimeSpan, rhs: TimeSpan) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

extension TimeSpan: LosslessStringConvertible {
    /// The units, and what one of them is in nanoseconds. The first of a length is the one that is printed.
    static let units: [(name: String, nanoseconds: Int)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1000), ("ns", 1),
        ("w", 604_800_000_000_000), ("min", 60_000_000_000), ("µs", 1000),
    ]

    /// Reads numbers with units, the one behind the other: `250ms`, `30s`, `1h30m`, `1.5h`. Units are `ns`, `us`
    /// (`µs`), `ms`, `s`, `m` (`min`), `h`, `d` and `w`. Only `0` may stand without one.
    ///
    /// - Returns: `nil` for any other text, and for more than 292 years.
    public init?(_ description: String) {
        if description == "0" {
            self = .zero
            return
        }
        var rest = description[...]
        var total = 0
        repeat {
            guard let amount = Amount(first: &rest),
                let length = Self.units.first(where: { $0.name == amount.unit })?.nanoseconds,
                let part = amount.scaled(by: length)
            else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { return nil }
            total = sum
            rest = rest.drop { $0 == " " }
        } while !rest.isEmpty
        self.init(nanoseconds: Int64(total))
    }

    /// Whole numbers with units, the largest first: `1h30m`, `250ms`, `0s`.
    public var description: String {
        var rest = Int(nanoseconds)
        var text = ""
        for unit in Self.units.prefix(7) where rest >= unit.nanoseconds {
            text += "\(rest / unit.nanoseconds)\(unit.name)"
            rest %= unit.nanoseconds
        }
        return text.isEmpty ? "0s" : text
    }
}

extension TimeSpan: Decodable {
    /// Reads text with a unit. A bare number is refused, because nobody knows its unit; only 0 needs none.
    ///
    /// - Throws: `DecodingError` that says what a time looks like.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int64.self) {
            guard number == 0 else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "needs a unit, such as \(number)s or \(number)m")
            }
            self = .zero
            return
        }
        guard let text = try? value.decode(String.self), let span = TimeSpan(text) else {
            throw DecodingError.dataCorruptedError(
                in: value, debugDescription: "must be a time with a unit, such as 250ms, 30s, 5m, 1h30m or 7d")
        }
        self = span
    }
}
