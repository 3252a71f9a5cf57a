#if Store
internal import Taffrail

/// The key of a stored record, derived from its time, so that the table is in chronological order.
///
/// The milliseconds since 1970 are in the upper bits, the nanoseconds within them in the lower 20. If that key is
/// taken, the next free one is used.
enum RecordID {
    private static let bits: Int64 = 20
    private static let million: Int64 = 1_000_000
    /// The milliseconds that fit into a key: the years 1691 to 2248. Other times are clamped; the record's time is
    /// stored separately.
    private static let limit: Int64 = (1 << 43) - 1_024

    /// Returns the key of a time in nanoseconds since 1970.
    static func of(_ nanoseconds: Int64) -> Int64 {
        let milliseconds = CivilTime.floorDivide(nanoseconds, by: million)
        guard abs(milliseconds) <= limit else { return milliseconds < 0 ? -limit << bits : (limit << bits) }
        return milliseconds << bits | (nanoseconds &- milliseconds &* million)
    }

    /// The first and the last time, in nanoseconds since 1970, whose keys are not clamped.
    static let times = -limit * million...limit * million

    /// Returns the exclusive end of the keys of records before a time; `Int64.max` for a time beyond the last key.
    static func end(_ nanoseconds: Int64) -> Int64 {
        let id = of(nanoseconds)
        return id >= limit << bits ? .max : id
    }

    /// Returns the time of a key in nanoseconds since 1970, if it was the first key tried.
    static func time(_ id: Int64) -> Int64 {
        (id >> bits).multipliedReportingOverflow(by: million).partialValue &+ min(id & (1 << bits - 1), million - 1)
    }

    /// Returns the first key of the same millisecond.
    static func startOfMillisecond(_ id: Int64) -> Int64 { (id >> bits) << bits }

    /// Returns the first key after those of the same millisecond.
    static func endOfMillisecond(_ id: Int64) -> Int64 { ((id >> bits) &+ 1) << bits }

    /// Returns the key as a string.
    static func text(_ id: Int64) -> String { RingID(UInt64(bitPattern: id)).description }

    /// Returns the key in a string; `nil` for any other string.
    static func number(_ text: String) -> Int64? { RingID(text).map { Int64(bitPattern: $0.value) } }
}
#endif
