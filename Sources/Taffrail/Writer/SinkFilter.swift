/// Selects the records of a pipeline that a sink gets. A record must meet all conditions.
package struct SinkFilter: Sendable, Hashable {
    /// The minimum level. Default ``Level/trace``: all.
    package var level: Level
    /// Only loggers with these names, and those below them (`net.http` is below `net`). Default: all.
    package var loggers: [String]
    /// Only records with these event names. Default: all, including records without one.
    package var events: [String]

    /// Creates a filter; without conditions it accepts everything.
    package init(level: Level = .trace, loggers: [String] = [], events: [String] = []) {
        self.level = level
        self.loggers = loggers
        self.events = events
    }

    /// Whether it accepts everything.
    package var isEmpty: Bool { level == .trace && loggers.isEmpty && events.isEmpty }

    /// Whether it accepts a record.
    package func passes(_ record: borrowing RecordView) -> Bool {
        if record.level < level { return false }
        if !loggers.isEmpty {
            var isBelow = false
            for name in loggers where record.isLogged(below: name) { isBelow = true }
            if !isBelow { return false }
        }
        return events.isEmpty || record.hasEvent(among: events)
    }
}
