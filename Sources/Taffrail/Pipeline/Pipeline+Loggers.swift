// Loggers, their levels, and the attributes that all their records have.

extension Pipeline {
    /// The logger without a name.
    public var logger: Logger { Logger(root) }

    /// The logger of a name.
    public func logger(_ name: String) -> Logger {
        guard !name.isEmpty else { return logger }
        prepare()
        return control.registryLock.withLock {
            let source = loggers.source(name) {
                let made = LoggerState.make(
                    name: name, gate: nil, queue: queue, sites: sites, ambient: ambient, redaction: redaction,
                    traceSource: traces)
                made.connect(to: root.pointee.pipeline)
                return made
            }
            return Logger(source)
        }
    }

    // MARK: Levels

    /// The level from which on records are let through, where no other is set for the logger's name.
    public var level: Level {
        get {
            prepare()
            return control.registryLock.withLock { loggers.levels.root }
        }
        set { changeLevels { $0.root = newValue } }
    }

    /// Sets or, with `nil`, removes the level of the loggers of a name and of those below it, at once.
    public func setLevel(_ level: Level?, forLogger name: String) { changeLevels { $0.byName[name] = level } }

    func changeLevels(_ change: (inout LevelTable) -> Void) {
        prepare()
        control.registryLock.withLock { loggers.changeLevels(change) }
    }

    /// Counts a backtrace that begins (1) or ends (-1), and gives the gates their levels.
    func lowerGates(to level: Level, by count: Int) {
        prepare()
        control.registryLock.withLock { loggers.countBacktrace(at: level, count) }
    }

    /// Gives the gates their levels, once.
    func prepare() {
        guard control.needsLevels else { return }
        control.registryLock.withLock {
            guard control.needsLevels else { return }
            loggers.applyLevels()
            control.needsLevels = false
        }
    }

    // MARK: Ambient attributes

    /// Adds a source of ambient attributes and starts it.
    public func add(_ provider: any ContextProvider) { _ = attach(provider) }

    /// Adds a source of ambient attributes and starts it.
    ///
    /// - Returns: Its share of them, to be emptied when the source is taken away again.
    package func attach(_ provider: any ContextProvider) -> ContextSlot {
        let id = control.registryLock.withLock { contexts.add(yieldsTo: provider.yieldsTo) }
        let slot = ContextSlot(pipeline: self, id: id)
        provider.publish(into: slot)
        return slot
    }

    /// Takes a source of ambient attributes away: what it has published goes, and what it still publishes is ignored.
    package func detach(_ slot: ContextSlot) {
        control.registryLock.withLock {
            contexts.remove(slot.id)
            publishContexts()
        }
    }

    func setContext(_ bytes: [UInt8], of id: Int) throws(ContextError) {
        try control.registryLock.withLock { () throws(ContextError) in
            defer { publishContexts() }
            try contexts.replace(bytes, of: id, redact: redacted)
        }
    }

    /// Replaces what may not reach the queue, for calls and for what the context providers have published.
    func setRedaction(_ change: () -> Void) {
        control.registryLock.withLock {
            change()
            publishContexts()
        }
    }

    /// Puts the ambient attributes into effect that the providers have published. Under the registry lock.
    private func publishContexts() {
        let joined = contexts.joined(redact: redacted)
        ambient.replace(joined.all, unyielding: joined.unyielding, prefixes: joined.prefixes)
        // Without a ring, as in a forked child, the next one begins with them. A ring that has ended does no harm: nothing
        // refers to a slot that is written then.
        if let header = control.header { contextSlots.publish(joined, to: header, control) }
    }

    /// Puts the ambient attributes into a new ring, which nobody can write to yet.
    func beginContexts(in ring: Ring) {
        control.registryLock.withLock {
            contextSlots = ContextSlots()
            let joined = contexts.joined(redact: redacted)
            ambient.replace(joined.all, unyielding: joined.unyielding, prefixes: joined.prefixes)
            contextSlots.publish(joined, to: ring.header, control)
        }
    }

    /// A provider's attributes without what no record may have. Called again for all of them when that changes.
    private func redacted(_ bytes: [UInt8]) -> [UInt8] { redaction.table?.cleanedContext(bytes) ?? bytes }

    // MARK: Trace

    /// Where records take their trace from when neither they nor the task have one: the current span of a tracer.
    ///
    /// Called on the thread of each log call that is let through; a source that logs gets no trace for what it logs.
    /// Records that come from elsewhere (``Logger/log(_:ambient:)``) get none. Default `nil`. A source that is replaced
    /// is kept in memory: set it once.
    public var traceSource: (@Sendable () -> TraceContext?)? {
        get { traces.source }
        set { traces.set(newValue) }
    }
}

extension Pipeline {
    /// Logs a record that comes from elsewhere as the logger of its name would, by that logger's level, without ambient
    /// attributes. No logger is made, so that the names may be as many as whoever sent the records likes.
    public func log(received record: LogRecord) {
        prepare()
        let level = control.registryLock.withLock { loggers.levels.level(of: record.logger) }
        if record.level >= level { root.log(record, bound: nil, ignoresLevel: true, ambient: false) }
    }
}
