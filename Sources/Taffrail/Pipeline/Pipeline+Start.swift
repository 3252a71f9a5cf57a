extension Pipeline {
    /// Creates a pipeline. Sinks are opened with the first record.
    ///
    /// The parameters are those of ``start(inputs:contexts:guards:processors:sinks:queue:level:levels:)``.
    public convenience init(
        guards: [any AttributeGuard] = [], processors: sending [any Processor] = [], sinks: sending [any Sink],
        queue: QueueOptions = QueueOptions(), level: Level = .info, levels: [String: Level] = [:]
    ) {
        let live = LiveSink.withoutTwins(sinks)
        self.init(
            processors: ProcessorChain(processors, guarding: GuardProcessor(guards)), queue: queue,
            levels: LevelTable(root: level, byName: levels), sharedGate: nil
        ) { live }
        redaction.set(self.processors.redactedKeys, guards: guards)
        prepare()
    }

    /// Sets up the shared pipeline in code, for `Logger.shared` and all named loggers, including existing ones.
    ///
    ///     try Pipeline.start(sinks: [.file("app.log"), .console(format: .json)], levels: ["net": .debug])
    ///
    /// Call it before the first enabled log call. Sinks are opened with the first record; inputs and context providers
    /// start at once. The `TAFFRAIL_…` environment variables are ignored, and the log does not start with the line
    /// `Logger initialized`.
    ///
    /// - Parameters:
    ///   - inputs: Sources of records. Each runs in its own task.
    ///   - contexts: Sources of ambient attributes.
    ///   - guards: Keep, change or drop attributes before they reach the queue, in this order.
    ///   - processors: Change or drop records before the sinks get them, in this order.
    ///   - sinks: Destinations, in this order; at most 16. The pipeline becomes their only user. Of two sinks
    ///     with a common destination the second is ignored, which is reported on stderr.
    ///     `filtered(level:loggers:events:)` gives a sink its own level.
    ///   - queue: The write queue.
    ///   - level: The minimum level. Default ``Level/info``.
    ///   - levels: Levels by logger name; the longest prefix in whole components (`net` for `net.http`) applies.
    /// - Returns: The running inputs and context providers; it need not be kept.
    /// - Throws: ``Pipeline/StartError`` after the first record, or if the pipeline has already been set up. Then nothing
    ///   has changed.
    @discardableResult
    public static func start(
        inputs: [any Input] = [], contexts: [any ContextProvider] = [], guards: [any AttributeGuard] = [],
        processors: sending [any Processor] = [], sinks: sending [any Sink], queue: QueueOptions = QueueOptions(),
        level: Level = .info, levels: [String: Level] = [:]
    ) throws(StartError) -> Running {
        let chain = ProcessorChain(processors, guarding: GuardProcessor(guards))
        let live = LiveSink.withoutTwins(sinks)
        try shared.control.lock.withLock { () throws(StartError) in
            guard shared.control.state != .shutDown else { throw StartError(description: "the pipeline has ended") }
            // Replaces the plan, unless parts of the former one have been created.
            guard shared.sinks == nil, shared.bindQueue(queue) else {
                throw StartError(description: "the pipeline has already logged or been set up")
            }
            shared.setRedaction { shared.redaction.set(chain.redactedKeys, guards: guards) }
            shared.processors = chain
            shared.sinks = live
            shared.isAnnounced = false
        }
        shared.changeLevels { $0 = LevelTable(root: level, byName: levels) }
        return shared.run(inputs: inputs, contexts: contexts)
    }

    /// Runs inputs and context providers in this pipeline.
    ///
    /// - Returns: The running parts; it need not be kept.
    @discardableResult
    public func run(inputs: [any Input] = [], contexts: [any ContextProvider] = []) -> Running {
        let running = Running(self)
        for (index, provider) in contexts.enumerated() { running.start(provider, named: "\(index + 1)") }
        for (index, input) in inputs.enumerated() { running.start(input, named: "\(index + 1)") }
        return running
    }

    /// The reason why a pipeline can no longer be set up.
    public struct StartError: Error, Sendable, CustomStringConvertible {
        /// The reason, in one line.
        public let description: String
    }
}
