#if Configuration
public import Taffrail

/// A configuration that has been read and checked completely. Nothing has been opened.
public struct Plan: Sendable {
    /// One plugin instance.
    public struct Instance: Sendable {
        /// The plugin, its options and, for a sink, its filter.
        package var plugin: PlannedPlugin
        /// Its key in the configuration.
        public var name: String { plugin.name }
        /// Whether the configuration sets the sink's level.
        var asksForLevel = false
        /// The line of its key, from 1; 0 if unknown.
        public var line = 0
        /// The column of its key, from 1; 0 if unknown.
        public var column = 0
        /// The file that contains it, as given; `nil` if it is not from a configuration.
        var file: String?

        init(_ plugin: PlannedPlugin) { self.plugin = plugin }
    }

    /// The path of the file, as given; `nil` for a string.
    public var file: String?
    /// The state of the file before it was read.
    var fileVersion: FileStatus.Version?
    /// The level of loggers for which ``levels`` has no prefix. Default `Level.info`.
    public var level: Level = .info
    /// Levels by logger name; the longest prefix applies.
    public var levels: [String: Level] = [:]
    /// The write queue.
    public var queue = QueueOptions()
    /// The guards, which keep, change or drop attributes before they reach the queue, in the order of the
    /// configuration.
    public var guards: [Instance] = []
    /// The processors, in processing order.
    public var processors: [Instance] = []
    /// The enabled sinks, inputs and context providers, in the order of the configuration.
    public var plugins: [Instance] = []

    /// The sections that several plugins share, such as `places`, by name.
    package var sections: [String: any PluginOptions] = [:]

    /// Settings that are valid but probably unintended, in the order of the configuration.
    public internal(set) var warnings: [ConfigurationProblem] = []

    /// Creates a plan with the defaults and no plugins.
    public init() {}
}
#endif
