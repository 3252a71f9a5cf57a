/// Selects the records of a pipeline that a sink gets. A record must meet all conditions.
package struct SinkFilter: Sendable, Equatable {
    /// The minimum level. Default ``Level/trace``: all.
    package var level: Level
    /// Only loggers with these names, and those below them (`net.http` is below `net`). Default: all.
    package var loggers: [String]
    /// Only records with these event names. Default: all, including records without one.
    package var events: [String]
    /// The filters inside this one, for a sink that is filtered more than once: a record must pass all of them.
    private var inner: [SinkFilter] = []

    /// Creates a filter; without conditions it accepts everything.
    package init(level: Level = .trace, loggers: [String] = [], events: [String] = []) {
        self.level = level
        self.loggers = loggers
        self.events = events
    }

    /// Whether it accepts everything.
    package var isEmpty: Bool { level == .trace && loggers.isEmpty && events.isEmpty && inner.isEmpty }

    /// Returns a filter that accepts what both of them accept.
    func with(_ other: SinkFilter) -> SinkFilter {
        if isEmpty { return other }
        var both = self
        if !other.isEmpty { both.inner.append(other) }
        return both
    }

    /// The filters, all of which a record must pass, each without others inside.
    var all: [SinkFilter] {
        var own = self
        own.inner = []
        return [own] + inner.flatMap(\.all)
    }

    /// Whether a name in it contains a line break.
    var hasLineBreak: Bool { all.contains { ($0.loggers + $0.events).contains { $0.utf8.contains(10) } } }

    /// Returns whether it accepts a record.
    package func passes(_ record: borrowing RecordView) -> Bool {
        if record.level < level { return false }
        for filter in inner where !filter.passes(record) { return false }
        if !loggers.isEmpty {
            var isBelow = false
            for name in loggers where record.isLogged(below: name) { isBelow = true }
            if !isBelow { return false }
        }
        return events.isEmpty || record.hasEvent(among: events)
    }
}
