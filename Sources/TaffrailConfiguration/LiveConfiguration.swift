#if Configuration
public import Taffrail

/// A configuration in effect; see `Pipeline.Running.configuration`.
///
/// It may be reloaded at any time, from any thread; the new configuration takes effect completely or not at all.
public final class LiveConfiguration: Sendable {
    /// The pipeline.
    public let pipeline: Pipeline
    /// The path of its file.
    public let file: String
    private let registry: PluginRegistry
    private let environment: [String: String]
    private let state = Locked(State())
    /// Held while the configuration is read and applied: an older text never replaces a newer one.
    private let applying = Locked<Void>(())

    /// The inputs and context providers created from it.
    public let running: Pipeline.Running

    private struct State {
        var plan = Plan()
        /// The running inputs and context providers.
        var parts: [String: PlannedPlugin] = [:]
        var watch: ConfigurationWatch?
        var whenApplied: (@Sendable () -> Void)?
    }

    init(file: String, registry: PluginRegistry, environment: [String: String], pipeline: Pipeline) {
        self.file = file
        self.registry = registry
        self.environment = environment
        self.pipeline = pipeline
        running = Pipeline.Running(pipeline)
        running.whenStopped { [weak self] in self?.endWatch() }
    }

    /// The current plan.
    public var plan: Plan { state.withLock { $0.plan } }

    /// Reloads the file and applies it.
    ///
    /// - Throws: ``ConfigurationError``; the current configuration then stays in effect.
    public func reload() throws(ConfigurationError) {
        try apply(Plan.readAgain(file: file, registry: registry, environment: environment))
    }

    /// Reloads the file and applies it; errors are reported on stderr.
    ///
    /// - Returns: Whether it was applied.
    @discardableResult
    public func reloadOrReport() -> Bool {
        let before = plan
        do throws(ConfigurationError) {
            try reload()
            let changes = plan.changes(from: before)
            Diagnostics.report("\(file) is in use: \(changes.isEmpty ? "nothing has changed" : changes)")
            return true
        } catch {
            for problem in error.problems { Diagnostics.report("\(problem)") }
            Diagnostics.report("\(file) is invalid; keeping the current configuration")
            return false
        }
    }

    /// Applies a plan; unchanged parts keep running.
    ///
    /// - Parameters:
    ///   - plan: Reads the plan.
    ///   - opensFiles: Whether a file that cannot be opened is an error if nothing was set up before.
    func apply(
        _ plan: @autoclosure () throws(ConfigurationError) -> Plan, opensFiles: Bool = false
    ) throws(ConfigurationError) {
        try applying.withLock { _ throws(ConfigurationError) in
            let plan = try plan()
            let inputs = try make(plan) { try $0.makeInput() }
            let contexts = try make(plan) { try $0.makeContext() }
            do throws(PipelineChangeError) {
                try pipeline.change(to: plan.setup, opensFiles: opensFiles)
            } catch {
                throw ConfigurationError([plan.problem(error)])
            }
            start(inputs, contexts, in: plan)
            state.withLock { $0.plan = plan }
        }
        state.withLock { $0.whenApplied }?()
    }

    /// Calls `body` after each applied change, on the thread that applies it.
    package func whenApplied(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenApplied = body } }

    // MARK: Inputs and contexts

    /// Creates the new parts of a plan.
    private func make<Made>(
        _ plan: Plan, _ make: (PlannedPlugin) throws -> Made?
    ) throws(ConfigurationError) -> [String: Made] {
        let running = state.withLock { $0.parts }
        var made: [String: Made] = [:]
        for instance in plan.plugins where running[instance.name].map({ !$0.isSame(as: instance.plugin) }) ?? true {
            do {
                made[instance.name] = try make(instance.plugin)
            } catch {
                throw ConfigurationError([
                    plan.problem(PipelineChangeError(part: instance.name, reason: "\(error)"))
                ])
            }
        }
        return made
    }

    /// Stops removed or changed inputs and context providers, and starts new ones; a new input waits until an old one
    /// with its name has ended.
    private func start(_ inputs: [String: any Input], _ contexts: [String: any ContextProvider], in plan: Plan) {
        var parts: [String: PlannedPlugin] = [:]
        for instance in plan.plugins where instance.plugin.kind == .context || instance.plugin.hasInput {
            parts[instance.name] = instance.plugin
        }
        let before = state.withLock { state in
            defer { state.parts = parts }
            return state.parts
        }
        for (name, old) in before where parts[name]?.kind != old.kind {
            if old.hasInput {
                running.endInput(named: name)
            } else {
                running.endContext(named: name, isDiscarded: true)
            }
        }
        for instance in plan.plugins {
            if let input = inputs[instance.name] { running.start(input, named: instance.name) }
            if let provider = contexts[instance.name] { running.start(provider, named: instance.name) }
        }
    }

    // MARK: Watching and ending

    /// Reloads the file whenever it changes, until ``stop()``, including when it is replaced, when a link on its path
    /// changes, and if it has changed since it was last read. Errors are reported on stderr. A pipe, which is read only
    /// at the start, is not watched.
    public func watch() {
        if let status = try? FileStatus.following(file), !status.isRegular { return }
        let watch = ConfigurationWatch(file: file, seen: plan.fileVersion) { [weak self] in self?.reloadOrReport() }
        if let watch {
            state.withLock { $0.watch = watch }
        } else {
            Diagnostics.report("\(file) cannot be watched; it is reloaded only on demand")
        }
    }

    /// Stops the watch, the inputs and the context providers, and waits for the inputs. The pipeline continues.
    public func stop() async { await running.stop() }

    private func endWatch() {
        let watch = state.withLock { state in
            state.parts = [:]
            return state.watch.take()
        }
        withExtendedLifetime(watch) {}
    }
}
#endif
