/// The moments that are wanted, in nanoseconds since 1970.
package struct LineRange: Sendable {
    /// The first one.
    package var since: Int64?
    /// The first one that is not wanted any more.
    package var until: Int64?

    package init(since: Int64? = nil, until: Int64? = nil) {
        self.since = since
        self.until = until
    }

    /// How much later a line may stand than others that were logged after it.
    private static let disorder: Int64 = 60_000_000_000

    /// Whether a moment is wanted.
    func contains(_ time: Int64) -> Bool {
        if let since, time < since { return false }
        if let until, time >= until { return false }
        return true
    }

    /// Whether nothing that is wanted comes behind a line of that time.
    func isPast(_ time: Int64) -> Bool {
        until.map { time > $0.addingClamped(Self.disorder) } ?? false
    }

    /// Whether a file with these times may have something that is wanted.
    func touches(earliest: Int64?, latest: Int64?) -> Bool {
        if let since, let latest, latest < since { return false }
        if let until, let earliest, earliest >= until { return false }
        return true
    }
}
