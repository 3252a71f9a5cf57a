/// Which records a sink gets, of those that its pipeline lets through. All conditions that are given hold.
package struct SinkFilter: Sendable, Hashable {
    /// The minimum level. Default ``Level/trace``: all.
    package var level: Level
    /// Only loggers of these names, and those below them (`net.http` is below `net`). Default: all.
    package var loggers: [String]
    /// Only records with these event names. Default: all, also those without.
    package var events: [String]

    /// Makes a filter; without conditions it lets everything through.
    package init(level: Level = .trace, loggers: [String] = [], events: [String] = []) {
        self.level = level
        self.loggers = loggers
        self.events = events
    }

    /// Whether it lets everything through.
    package var isEmpty: Bool { level == .trace && loggers.isEmpty && events.isEmpty }

    /// Whether it lets a record through.
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
