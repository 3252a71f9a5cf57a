/// A plugin with its options: checked, but not yet made.
public struct PreparedPlugin: Sendable {
    /// What a plugin adds to a pipeline.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A source of records, such as a receiver of positions.
        case input
        /// Changes or drops records.
        case processor
        /// Ambient attributes.
        case context
        /// A destination of records.
        case sink
        /// Keeps, changes or drops attributes before they reach the queue. Its name is a key at the top of a
        /// configuration, such as `privacy`.
        case attributeGuard = "guard"
        /// A key at the top of a configuration to which the options of plugins refer, such as `places`.
        case section
    }

    /// Makes what the plugin adds.
    public enum Builder: Sendable {
        /// Opens a sink.
        case sink(@Sendable (PluginInstance) throws -> sending any Sink)
        /// Makes a processor.
        case processor(@Sendable (PluginInstance) throws -> sending any Processor)
        /// Makes an input.
        case input(@Sendable (PluginInstance) throws -> any Input)
        /// Makes a provider of ambient attributes.
        case context(@Sendable (PluginInstance) throws -> any ContextProvider)
        /// Makes a guard.
        case attributeGuard(@Sendable (PluginInstance) throws -> any AttributeGuard)
        /// Makes nothing: other plugins read its options.
        case section
    }

    /// The plugin's name in the registry.
    public let plugin: String
    /// What it adds.
    public let kind: Kind
    /// The options.
    public let options: any PluginOptions
    /// Makes what it adds.
    public let builder: Builder

    /// Whether `other` is the same plugin with equal options, so that a running instance of it can stay.
    public func isSame(as other: PreparedPlugin) -> Bool {
        plugin == other.plugin && Self.areEqual(options, other.options)
    }

    private static func areEqual<Options: PluginOptions>(_ one: Options, _ other: any PluginOptions) -> Bool {
        one == other as? Options
    }
}
