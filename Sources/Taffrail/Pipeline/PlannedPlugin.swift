/// A plugin instance of a planned pipeline: its options have been checked, but nothing has been created.
package struct PlannedPlugin: Sendable {
    /// Creates the part that the plugin adds.
    package enum Builder: Sendable {
        /// With the input that belongs to the sink, if it has one.
        case sink(
            @Sendable (PluginInstance) throws -> sending any Sink,
            input: (@Sendable (PluginInstance) throws -> any Input)? = nil)
        case processor(@Sendable (PluginInstance) throws -> sending any Processor)
        case input(@Sendable (PluginInstance) throws -> any Input)
        case context(@Sendable (PluginInstance) throws -> any ContextProvider)
        case attributeGuard(@Sendable (PluginInstance) throws -> any AttributeGuard)
        /// Creates nothing: other plugins read its options.
        case section
    }

    /// The argument of its factory; the name is unique within a pipeline.
    package var instance: PluginInstance
    /// The plugin's name in the registry.
    package let plugin: String
    package let options: any PluginOptions
    package let builder: Builder
    /// The filter of a sink.
    package var filter: SinkFilter

    package init(
        _ instance: PluginInstance, plugin: String, options: any PluginOptions, builder: Builder,
        filter: SinkFilter = SinkFilter()
    ) {
        self.instance = instance
        self.plugin = plugin
        self.options = options
        self.builder = builder
        self.filter = filter
    }

    /// The instance's name.
    package var name: String { instance.name }

    /// Returns whether a running instance of this part can be kept instead of `other`; the filter can change while it
    /// runs.
    @inline(never)
    package func isSame(as other: PlannedPlugin) -> Bool {
        instance == other.instance && plugin == other.plugin && Self.areEqual(options, other.options)
    }

    private static func areEqual<Options: PluginOptions>(_ one: Options, _ other: any PluginOptions) -> Bool {
        one == other as? Options
    }

    /// Opens the sink; `nil` if the plugin adds none.
    package func makeSink() throws -> (any Sink)? {
        guard case .sink(let make, _) = builder else { return nil }
        return try make(instance)
    }
}
