extension Pipeline {
    /// Makes a pipeline. It opens nothing before its first record.
    ///
    /// - Parameters:
    ///   - guards: What keeps, changes or drops attributes before they reach the queue, in this order.
    ///   - processors: What changes or drops records before the sinks get them, in this order.
    ///   - sinks: Where records go, in this order; at most 16. The pipeline is their only user from now on. Of two with
    ///     one destination the second is left out, which is reported on stderr.
    ///   - queue: The write queue.
    ///   - level: The level from which on records are let through. Default ``Level/info``.
    ///   - levels: Other levels by logger name; the longest prefix in whole parts (`net` for `net.http`) counts.
    public convenience init(
        guards: [any AttributeGuard] = [], processors: sending [any Processor] = [], sinks: sending [any Sink],
        queue: QueueOptions = QueueOptions(),
        level: Level = .info,
        levels: [String: Level] = [:]
    ) {
        let secrets = processors.reduce(into: Set<String>()) { $0.formUnion($1.redactedKeys) }
        self.init(
            .given(LiveSink.withoutTwins(sinks)),
            processors: ProcessorChain(processors, guarding: GuardProcessor(guards)), queue: queue,
            levels: LevelTable(root: level, byName: levels), sharedGate: nil)
        redaction.set(secrets, guards: guards)
        prepare()
    }

    /// Sets the shared pipeline up in code: what `Logger.shared` and all loggers by name write to, also those that were made
    /// before.
    ///
    ///     try Pipeline.start(sinks: [.file("app.log"), .console(format: .json)], levels: ["net": .debug])
    ///
    /// Call it before the first record that is let through. It opens nothing before that record; the inputs and context
    /// providers run at once. The environment's `TAFFRAIL_…` variables do not count, and the log does not begin with the line
    /// `Logger initialized`.
    ///
    /// - Parameters:
    ///   - inputs: Sources of records. Each runs in a task of its own.
    ///   - contexts: Sources of ambient attributes.
    ///   - guards: What keeps, changes or drops attributes before they reach the queue, in this order.
    ///   - processors: What changes or drops records before the sinks get them, in this order.
    ///   - sinks: Where records go, in this order; at most 16. The pipeline is their only user from now on. Of two with
    ///     one destination the second is left out, which is reported on stderr. `filtered(level:loggers:events:)` gives one a
    ///     level of its own.
    ///   - queue: The write queue.
    ///   - level: The level from which on records are let through. Default ``Level/info``.
    ///   - levels: Other levels by logger name; the longest prefix in whole parts (`net` for `net.http`) counts.
    /// - Returns: The inputs and context providers at work; it need not be kept.
    /// - Throws: ``Pipeline/StartError`` after the first record, and where the pipeline has been set up already. Then nothing
    ///   has changed.
    @discardableResult
    public static func start(
        inputs: [any Input] = [], contexts: [any ContextProvider] = [], guards: [any AttributeGuard] = [],
        processors: sending [any Processor] = [], sinks: sending [any Sink], queue: QueueOptions = QueueOptions(),
        level: Level = .info, levels: [String: Level] = [:]
    ) throws(StartError) -> Running {
        try shared.setUp(
            guards: guards, processors: processors, sinks: sinks, queue: queue,
            levels: LevelTable(root: level, byName: levels))
        return shared.run(inputs: inputs, contexts: contexts)
    }

    /// Runs inputs and context providers into this pipeline.
    ///
    /// - Returns: What is at work; it need not be kept.
    @discardableResult
    public func run(inputs: [any Input] = [], contexts: [any ContextProvider] = []) -> Running {
        let running = Running(self)
        for (index, provider) in contexts.enumerated() { running.start(provider, named: "\(index + 1)") }
        for (index, input) in inputs.enumerated() { running.start(input, named: "\(index + 1)") }
        return running
    }

    /// Makes the pipeline consist of other parts, as long as nothing was made of the former ones.
    func setUp(
        guards: [any AttributeGuard], processors: sending [any Processor], sinks: sending [any Sink],
        queue options: QueueOptions, levels: LevelTable
    ) throws(StartError) {
        let secrets = processors.reduce(into: Set<String>()) { $0.formUnion($1.redactedKeys) }
        let chain = ProcessorChain(processors, guarding: GuardProcessor(guards))
        let live = LiveSink.withoutTwins(sinks)
        try control.lock.withLock { () throws(StartError) in
            guard control.state != .shutDown else { throw StartError(description: "the pipeline has ended") }
            guard self.sinks == nil, bindQueue(options) else {
                throw StartError(description: "the pipeline has logged, or was set up, already")
            }
            setRedaction { redaction.set(secrets, guards: guards) }
            self.processors = chain
            self.sinks = live
            isAnnounced = false
        }
        changeLevels { $0 = levels }
    }
}
