/// The plugins of a program, by name.
///
/// It knows no file format: an entry reads its options from any `Decoder`.
public struct PluginRegistry: Sendable {
    /// The kind of part that a plugin adds to a pipeline.
    public typealias Kind = PluginInstance.Kind

    /// A registered name.
    public struct Entry: Sendable {
        /// The name in a configuration, such as `journald`.
        public let name: String
        /// The kind of part.
        public let kind: Kind
        /// A complete, commented sample of its options in YAML.
        public let sample: String
        /// The type of its options.
        let optionsType: any PluginOptions.Type
        /// Reads the options of an instance without opening anything; throws a `DecodingError` with the path to the key.
        package let plan: @Sendable (PluginInstance, any Decoder) throws -> PlannedPlugin
    }

    /// Two plugins have the same name.
    public struct NameTaken: Error, CustomStringConvertible {
        /// The name.
        public let name: String
        /// For example `two plugins are named "file"`.
        public var description: String { "two plugins are named \"\(name)\"" }
    }

    /// All entries, in the order of registration.
    public private(set) var entries: [Entry] = []

    /// Creates a registry from a list of plugins.
    ///
    /// - Throws: ``NameTaken``.
    public init(_ plugins: [any Plugin.Type] = []) throws {
        for plugin in plugins { try plugin.register(in: &self) }
    }

    /// The entry with a name.
    public subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    /// Registers a sink.
    ///
    /// - Parameters:
    ///   - name: Its name in a configuration, in `kebab-case`.
    ///   - sample: A complete, commented sample of its options in YAML.
    ///   - make: Opens the sink. Called on the writer thread or before it starts, once for each instance. An error it
    ///     throws rejects the configuration.
    /// - Throws: ``NameTaken``.
    public mutating func addSink<Options: PluginOptions>(
        _ name: String, sample: String = "",
        make: @escaping @Sendable (Options, PluginInstance) throws -> sending any Sink
    ) throws {
        try add(name, .sink, sample) { (options: Options) in .sink { try make(options, $0) } }
    }

    /// Registers a sink with its own input, for its own records or for commands.
    ///
    /// A sink cannot log into its own pipeline; its input can. Where only sinks are created, as by `taffrail recover`, it has
    /// none.
    ///
    /// `make` opens the sink, as for a sink alone. `input` creates the input, before or after the sink; it runs for as
    /// long as the sink is configured.
    ///
    /// - Throws: ``NameTaken``.
    public mutating func addSink<Options: PluginOptions>(
        _ name: String, sample: String = "",
        make: @escaping @Sendable (Options, PluginInstance) throws -> sending any Sink,
        input: @escaping @Sendable (Options, PluginInstance) throws -> any Input
    ) throws {
        try add(name, .sink, sample) { (options: Options) in
            .sink({ try make(options, $0) }, input: { try input(options, $0) })
        }
    }

    /// Registers a processor, by name and with a sample as in ``addSink(_:sample:make:)``.
    ///
    /// `make` returns the processor, which the writer thread will use.
    ///
    /// - Throws: ``NameTaken``.
    public mutating func addProcessor<Options: PluginOptions>(
        _ name: String, sample: String = "",
        make: @escaping @Sendable (Options, PluginInstance) throws -> sending any Processor
    ) throws {
        try add(name, .processor, sample) { (options: Options) in .processor { try make(options, $0) } }
    }

    /// Registers an input, by name and with a sample as in ``addSink(_:sample:make:)``.
    ///
    /// `make` creates the input; it opens its source only when it runs.
    ///
    /// - Throws: ``NameTaken``.
    public mutating func addInput<Options: PluginOptions>(
        _ name: String, sample: String = "",
        make: @escaping @Sendable (Options, PluginInstance) throws -> any Input
    ) throws {
        try add(name, .input, sample) { (options: Options) in .input { try make(options, $0) } }
    }

    /// Registers a context provider, by name and with a sample as in ``addSink(_:sample:make:)``.
    ///
    /// `make` returns the provider, which starts when a pipeline takes it.
    ///
    /// - Throws: ``NameTaken``.
    public mutating func addContext<Options: PluginOptions>(
        _ name: String, sample: String = "",
        make: @escaping @Sendable (Options, PluginInstance) throws -> any ContextProvider
    ) throws {
        try add(name, .context, sample) { (options: Options) in .context { try make(options, $0) } }
    }

    /// Registers a guard, whose options are a top-level key of a configuration.
    ///
    /// `make` returns the guard, which any thread will use.
    ///
    /// - Throws: ``NameTaken``.
    public mutating func addGuard<Options: PluginOptions>(
        _ name: String, sample: String = "",
        make: @escaping @Sendable (Options, PluginInstance) throws -> any AttributeGuard
    ) throws {
        try add(name, .attributeGuard, sample) { (options: Options) in .attributeGuard { try make(options, $0) } }
    }

    /// Registers a top-level section of a configuration that several plugins may share; each of them registers it.
    ///
    /// It is read before all others. The options of plugins find it through ``PluginRegistry/Sections``.
    ///
    /// - Throws: ``NameTaken`` if the name is in use for something else.
    public mutating func addSection<Options: PluginOptions>(_ name: String, as type: Options.Type) throws {
        if let entry = self[name], entry.optionsType == type { return }
        try add(name, .section, "") { (_: Options) in .section }
    }

    private mutating func add<Options: PluginOptions>(
        _ name: String, _ kind: Kind, _ sample: String,
        building: @escaping @Sendable (Options) -> PlannedPlugin.Builder
    ) throws {
        guard self[name] == nil else { throw NameTaken(name: name) }
        entries.append(
            Entry(name: name, kind: kind, sample: sample, optionsType: Options.self) { instance, decoder in
                let options = try Options(from: decoder)
                return PlannedPlugin(instance, plugin: name, options: options, builder: building(options))
            })
    }
}

extension PluginRegistry {
    /// The shared sections of a configuration, available while the options of a plugin are read.
    ///
    ///     let places = PluginRegistry.Sections.section("places", as: PlacesOptions.self, in: decoder)
    public struct Sections: Sendable {
        private let sections: [String: any PluginOptions]

        /// Creates sections that have been read.
        package init(_ sections: [String: any PluginOptions]) { self.sections = sections }

        /// The key of the sections in a decoder's user info.
        package static let key = CodingUserInfoKey(rawValue: "taffrail.sections")

        /// Returns the section with a name; `nil` if the configuration has none, or an invalid one.
        ///
        /// - Parameters:
        ///   - name: The section's key in configurations.
        ///   - type: The type of the section's options.
        ///   - decoder: The decoder for the options.
        public static func section<Options: PluginOptions>(
            _ name: String, as type: Options.Type = Options.self, in decoder: any Decoder
        ) -> Options? {
            let sections = key.flatMap { decoder.userInfo[$0] } as? Sections
            return sections?.sections[name] as? Options
        }
    }
}
