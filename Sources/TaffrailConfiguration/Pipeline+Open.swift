#if Configuration
public import Taffrail

extension Pipeline {
    /// Sets up the shared pipeline, the destination of `Logger.shared` and all named loggers, from a configuration
    /// file.
    ///
    ///     try Pipeline.open(configuration: "ferry.yaml", plugins: [ConsolePlugin.self, JournaldPlugin.self])
    ///
    /// Call it early: the options under `queue:` apply only before the first record. The file is reloaded whenever it
    /// changes.
    ///
    /// - Parameters:
    ///   - configuration: The file's path. Default `nil`: the first existing file of those in ``ConfigurationPath``; if
    ///     there is none, the pipeline keeps its defaults.
    ///   - plugins: The plugins of the program; `file` is always included.
    ///   - watches: Whether to reload the file when it changes. Default `true`.
    /// - Returns: The running inputs and context providers; it need not be kept. `Pipeline.Running.configuration` can
    ///   reload the file at other times.
    /// - Throws: ``ConfigurationError`` with all problems, or `PluginRegistry.NameTaken`.
    @discardableResult
    public static func open(
        configuration: String? = nil, plugins: [any Plugin.Type] = [], watches: Bool = true
    ) throws -> Pipeline.Running {
        let environment = Environment.variables
        guard let file = configuration ?? ConfigurationPath.find(environment: environment) else { return shared.run() }
        let registry = try PluginRegistry.withFile(plugins)
        let plan = try Plan.read(file: file, registry: registry, environment: environment)
        return try startShared(plan, file: file, registry: registry, watches: watches).running
    }

    /// Sets up the shared pipeline from a plan.
    ///
    /// - Parameter opensFiles: Whether a file that cannot be opened is an error, instead of being retried.
    package static func startShared(
        _ plan: Plan, file: String, registry: PluginRegistry, watches: Bool = true, opensFiles: Bool = false
    ) throws(ConfigurationError) -> LiveConfiguration {
        try start(
            plan, file: file, registry: registry, environment: Environment.variables, in: .shared,
            watches: watches, opensFiles: opensFiles)
    }

    /// Sets up a separate pipeline from a configuration file.
    ///
    /// - Throws: ``ConfigurationError`` with all problems, or `PluginRegistry.NameTaken`.
    public convenience init(configuration file: String, plugins: [any Plugin.Type] = []) throws {
        let registry = try PluginRegistry.withFile(plugins)
        let environment = Environment.variables
        let plan = try Plan.read(file: file, registry: registry, environment: environment)
        self.init(sinks: [], queue: plan.queue, level: plan.level, levels: plan.levels)
        _ = try Pipeline.start(
            plan, file: file, registry: registry, environment: environment, in: self, watches: false)
    }

    /// The running configurations, which callers need not keep.
    fileprivate static let live = Locked<[LiveConfiguration]>([])

    /// Applies a plan to a pipeline.
    package static func start(
        _ plan: Plan, file: String, registry: PluginRegistry, environment: [String: String], in pipeline: Pipeline,
        watches: Bool, opensFiles: Bool = false
    ) throws(ConfigurationError) -> LiveConfiguration {
        let configuration = LiveConfiguration(
            file: file, registry: registry, environment: environment, pipeline: pipeline)
        try configuration.apply(plan, opensFiles: opensFiles)
        if watches { configuration.watch() }
        live.withLock { $0.append(configuration) }
        return configuration
    }
}

extension Pipeline.Running {
    /// The configuration from which the inputs and context providers were created; `nil` if they were started in code
    /// or no file was found.
    public var configuration: LiveConfiguration? { Pipeline.live.withLock { $0.first { $0.running === self } } }
}

extension PluginRegistry {
    /// Returns a registry of some plugins and `file`, which is part of the core.
    package static func withFile(_ plugins: [any Plugin.Type]) throws -> PluginRegistry {
        let hasFile = plugins.contains { $0 == FilePlugin.self }
        return try PluginRegistry(hasFile ? plugins : [FilePlugin.self] + plugins)
    }
}
#else
public import Taffrail

extension Pipeline {
    /// Needs the trait `Configuration`.
    @available(*, unavailable, message: "enable the trait Configuration: .package(…, traits: [\"Configuration\"])")
    @discardableResult
    public static func open(
        configuration: String? = nil, plugins: [any Plugin.Type] = [], watches: Bool = true
    ) throws -> Pipeline.Running { shared.run() }

    /// Needs the trait `Configuration`.
    @available(*, unavailable, message: "enable the trait Configuration: .package(…, traits: [\"Configuration\"])")
    public convenience init(configuration file: String, plugins: [any Plugin.Type] = []) throws { self.init(sinks: []) }
}
#endif
