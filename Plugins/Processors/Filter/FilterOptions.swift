public import Taffrail

/// The options of the processor `filter`. A record goes on when all conditions that are given hold.
public struct FilterOptions: PluginOptions {
    /// The lowest level that goes on. Default ``Level/trace``: all.
    public var level: Level
    /// Only loggers of these names and below them go on. Default: all.
    public var loggers: [String]
    /// Loggers of these names and below them do not go on. Default: none.
    public var exceptLoggers: [String]
    /// Only records with these event names go on. Default: all, also those without.
    public var events: [String]
    /// Records with these event names do not go on. Default: none.
    public var exceptEvents: [String]
    /// Only records whose message has one of these texts go on. Default: all.
    public var containing: [String]
    /// Records whose message has one of these texts do not go on. Default: none.
    public var exceptContaining: [String]

    /// Makes options.
    public init(
        level: Level = .trace, loggers: [String] = [], exceptLoggers: [String] = [], events: [String] = [],
        exceptEvents: [String] = [], containing: [String] = [], exceptContaining: [String] = []
    ) {
        self.level = level
        self.loggers = loggers
        self.exceptLoggers = exceptLoggers
        self.events = events
        self.exceptEvents = exceptEvents
        self.containing = containing
        self.exceptContaining = exceptContaining
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case level, loggers, events, containing
        case exceptLoggers = "except_loggers"
        case exceptEvents = "except_events"
        case exceptContaining = "except_containing"
    }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        func texts(_ key: CodingKeys) throws -> [String] {
            let texts: [String] = try options.value(key, or: [])
            guard !texts.contains("") else { throw options.problem(key, "must not have an empty text") }
            return texts
        }
        level = try options.value(.level, or: .trace)
        loggers = try texts(.loggers)
        exceptLoggers = try texts(.exceptLoggers)
        events = try texts(.events)
        exceptEvents = try texts(.exceptEvents)
        containing = try texts(.containing)
        exceptContaining = try texts(.exceptContaining)
    }
}
