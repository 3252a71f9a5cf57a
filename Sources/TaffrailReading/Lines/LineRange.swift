internal import Taffrail

/// A range of times, in nanoseconds since 1970.
package struct LineRange: Sendable {
    /// The start.
    package var since: Int64?
    /// The end, exclusive.
    package var until: Int64?

    package init(since: Int64? = nil, until: Int64? = nil) {
        self.since = since
        self.until = until
    }

    /// How far out of order a line may be.
    private static let disorder: Int64 = 60_000_000_000

    /// Returns whether the range contains a time.
    func contains(_ time: Int64) -> Bool {
        if let since, time < since { return false }
        if let until, time >= until { return false }
        return true
    }

    /// Returns whether no line after a line with this time can be in the range.
    func isPast(_ time: Int64) -> Bool {
        until.map { time > $0.addingClamped(Self.disorder) } ?? false
    }

    /// Returns whether a file with these times may have lines in the range.
    func touches(earliest: Int64?, latest: Int64?) -> Bool {
        if let since, let latest, latest < since { return false }
        if let until, let earliest, earliest >= until { return false }
        return true
    }
}
