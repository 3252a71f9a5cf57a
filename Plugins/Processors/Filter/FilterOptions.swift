public import Taffrail

/// The options of the processor `filter`. A record must meet all given conditions.
public struct FilterOptions: PluginOptions {
    /// The minimum level. Default ``Level/trace``: all.
    public var level: Level
    /// Only loggers with these names, and their descendants. Default: all.
    public var loggers: [String]
    /// No loggers with these names, nor their descendants. Default: none.
    public var exceptLoggers: [String]
    /// Only records with these event names. Default: all, including records without one.
    public var events: [String]
    /// No records with these event names. Default: none.
    public var exceptEvents: [String]
    /// Only records whose message contains one of these strings. Default: all.
    public var containing: [String]
    /// No records whose message contains one of these strings. Default: none.
    public var exceptContaining: [String]

    /// Creates options.
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

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        func texts(_ key: CodingKeys) throws -> [String] {
            let texts: [String] = try options.value(key, or: [])
            guard !texts.contains("") else { throw options.problem(key, "must not contain an empty string") }
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
