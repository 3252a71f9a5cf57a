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
        func strings(_ key: CodingKeys) throws -> [String] {
            let strings: [String] = try options.value(key, or: [])
            guard !strings.contains("") else { throw options.problem(key, "must not contain an empty string") }
            return strings
        }
        level = try options.value(.level, or: .trace)
        loggers = try strings(.loggers)
        exceptLoggers = try strings(.exceptLoggers)
        events = try strings(.events)
        exceptEvents = try strings(.exceptEvents)
        containing = try strings(.containing)
        exceptContaining = try strings(.exceptContaining)
    }
}
