#if Configuration
internal import Synchronization
public import Taffrail

/// A configuration at work: the pipeline that was made of it, its inputs and context providers.
///
/// It may be read anew at any time, from any thread; then all of it takes effect or nothing.
public final class LiveConfiguration: Sendable {
    /// The pipeline.
    public let pipeline: Pipeline
    /// The file it is read from.
    public let file: String
    private let registry: PluginRegistry
    private let environment: [String: String]
    private let state = Mutex(State())
    /// Held while the configuration is applied.
    private let applying = Mutex<Void>(())

    private struct State {
        var plan = Plan()
        var inputs: [String: RunningInput] = [:]
        var contexts: [String: RunningContext] = [:]
        var watch: ConfigurationWatch?
        var whenApplied: (@Sendable () -> Void)?
    }

    private struct RunningInput {
        let plugin: PreparedPlugin
        let task: Task<Void, Never>
    }

    private struct RunningContext {
        let plugin: PreparedPlugin
        let provider: any ContextProvider
        let slot: ContextSlot
    }

    init(file: String, registry: PluginRegistry, environment: [String: String], pipeline: Pipeline) {
        self.file = file
        self.registry = registry
        self.environment = environment
        self.pipeline = pipeline
    }

    /// The plan in use.
    public var plan: Plan { state.withLock { $0.plan } }

    /// Reads the file anew and applies it.
    ///
    /// - Throws: ``ConfigurationError``; the configuration in use then stays, whole.
    public func reload() throws(ConfigurationError) {
        try apply(Plan.read(file: file, registry: registry, environment: environment))
    }

    /// Reads the file again and applies it; errors are reported on stderr.
    ///
    /// - Returns: Whether it was applied.
    @discardableResult
    public func reloadOrReport() -> Bool {
        do throws(ConfigurationError) {
            try reload()
            Diagnostics.report("\(file) is in use")
            return true
        } catch {
            for problem in error.problems { Diagnostics.report("\(problem)") }
            Diagnostics.report("\(file) is refused; the configuration in use stays")
            return false
        }
    }

    func apply(_ plan: Plan) throws(ConfigurationError) {
        try applying.withLock { _ throws(ConfigurationError) in
            let inputs = try makeInputs(of: plan)
            let contexts = try makeContexts(of: plan)
            do throws(PipelineChangeError) {
                try pipeline.change(to: plan.setup)
            } catch {
                throw ConfigurationError([plan.problem(error)])
            }
            start(inputs, in: plan)
            start(contexts, in: plan)
            state.withLock { $0.plan = plan }
        }
        state.withLock { $0.whenApplied }?()
    }

    /// Calls `body` after each change that is applied, on the thread that applies it.
    package func whenApplied(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenApplied = body } }

    // MARK: Inputs and contexts

    private func make<Made>(
        _ plan: Plan, running: [String: PreparedPlugin],
        _ make: (PreparedPlugin.Builder, PluginInstance) throws -> Made?
    ) throws(ConfigurationError) -> [String: Made] {
        var made: [String: Made] = [:]
        for instance in plan.plugins where running[instance.name].map({ !$0.isSame(as: instance.plugin) }) ?? true {
            do {
                made[instance.name] = try make(instance.plugin.builder, PluginInstance(named: instance.name))
            } catch {
                throw ConfigurationError([
                    plan.problem(PipelineChangeError(part: instance.name, reason: "\(error)"))
                ])
            }
        }
        return made
    }

    private func makeInputs(of plan: Plan) throws(ConfigurationError) -> [String: any Input] {
        let running = state.withLock { $0.inputs.mapValues(\.plugin) }
        return try make(plan, running: running) { builder, place in
            guard case .input(let make) = builder else { return nil }
            return try make(place)
        }
    }

    private func makeContexts(of plan: Plan) throws(ConfigurationError) -> [String: any ContextProvider] {
        let running = state.withLock { $0.contexts.mapValues(\.plugin) }
        return try make(plan, running: running) { builder, place in
            guard case .context(let make) = builder else { return nil }
            return try make(place)
        }
    }

    /// Ends the inputs that are gone or changed, and starts new ones; one of the same name waits for the old one's end.
    private func start(_ made: [String: any Input], in plan: Plan) {
        let pipeline = pipeline
        state.withLock { state in
            let names = Set(plan.plugins.filter { $0.plugin.kind == .input }.map(\.name))
            for (name, old) in state.inputs where !names.contains(name) || made[name] != nil { old.task.cancel() }
            for instance in plan.plugins {
                guard let input = made[instance.name] else { continue }
                let before = state.inputs[instance.name]?.task
                let name = instance.name
                let task = Task.detached {
                    await before?.value
                    do {
                        try await input.run(into: pipeline)
                    } catch is CancellationError {
                    } catch {
                        Diagnostics.report("input \(name) has ended: \(error)")
                    }
                }
                state.inputs[name] = RunningInput(plugin: instance.plugin, task: task)
            }
            state.inputs = state.inputs.filter { names.contains($0.key) }
        }
    }

    private func start(_ made: [String: any ContextProvider], in plan: Plan) {
        let running = state.withLock { $0.contexts }
        let names = Set(plan.plugins.filter { $0.plugin.kind == .context }.map(\.name))
        var next = running.filter { names.contains($0.key) && made[$0.key] == nil }
        for (name, old) in running where next[name] == nil {
            old.provider.stop()
            pipeline.detach(old.slot)
        }
        for instance in plan.plugins {
            guard let provider = made[instance.name] else { continue }
            next[instance.name] = RunningContext(
                plugin: instance.plugin, provider: provider, slot: pipeline.attach(provider))
        }
        state.withLock { [next] in $0.contexts = next }
    }

    // MARK: Watching and ending

    /// Reads the file again whenever it changes, until ``stop()``: also when it is replaced, when a link on its path changes,
    /// and when it has changed since it was last read. Errors are reported on stderr.
    public func watch() {
        let watch = ConfigurationWatch(file: file, seen: plan.fileState) { [weak self] in self?.reloadOrReport() }
        if let watch {
            state.withLock { $0.watch = watch }
        } else {
            Diagnostics.report("\(file) cannot be watched: it is read anew only on demand")
        }
    }

    /// Ends the watch, the inputs and the context providers, and waits for the inputs. The pipeline goes on.
    public func stop() async {
        for task in cancel() { await task.value }
    }

    /// Ends the watch, the inputs and the context providers.
    ///
    /// - Returns: The inputs' tasks, which may take a moment.
    @discardableResult
    package func cancel() -> [Task<Void, Never>] {
        let (inputs, contexts) = state.withLock { state in
            defer {
                state.inputs = [:]
                state.contexts = [:]
                state.watch = nil
            }
            return (state.inputs.values.map(\.task), Array(state.contexts.values))
        }
        for task in inputs { task.cancel() }
        for context in contexts {
            context.provider.stop()
            pipeline.detach(context.slot)
        }
        return inputs
    }
}
#endif
