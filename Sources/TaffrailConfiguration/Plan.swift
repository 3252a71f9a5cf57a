#if Configuration
public import Taffrail

/// A configuration that has been read and checked as a whole. Nothing has been opened.
public struct Plan: Sendable {
    /// One plugin instance.
    public struct Instance: Sendable {
        /// The plugin, its options and, of a sink, its filter.
        package var plugin: PlannedPlugin
        /// Its key in the configuration.
        public var name: String { plugin.name }
        /// Whether the configuration gives the sink a level.
        var asksForLevel = false
        /// The line of its key, from 1; 0 where it has none.
        public var line = 0
        /// The column of its key, from 1; 0 where it has none.
        public var column = 0

        init(_ plugin: PlannedPlugin) { self.plugin = plugin }
    }

    /// The file it was read from, as it was named; `nil` for a text.
    public var file: String?
    /// The state of the file before it was read.
    var fileState: FileState?
    /// The level of loggers for which ``levels`` has no prefix. Default ``Level/info``.
    public var level: Level = .info
    /// Levels by logger name; the longest prefix wins.
    public var levels: [String: Level] = [:]
    /// The write queue.
    public var queue = QueueOptions()
    /// What keeps, changes or drops attributes before they reach the queue, in the order of the configuration.
    public var guards: [Instance] = []
    /// The processors, in the order in which they work.
    public var processors: [Instance] = []
    /// The enabled sinks, inputs and context providers, in the order of the configuration.
    public var plugins: [Instance] = []

    /// What is allowed and cannot be meant, in the order of the configuration.
    public internal(set) var warnings: [ConfigurationProblem] = []

    /// Makes a plan with the defaults and no plugins.
    public init() {}
}
#endif
