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
                let made = LogSource.make(name: name, gate: nil, queue: queue, ambient: ambient, redaction: redaction)
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

    func level(of source: UnsafeMutablePointer<LogSource>) -> Level {
        prepare()
        return control.registryLock.withLock { source.pointee.level }
    }

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
        let index = control.registryLock.withLock {
            contexts.append([])
            return contexts.count - 1
        }
        let slot = ContextSlot(pipeline: self, index: index)
        provider.publish(into: slot)
        return slot
    }

    func setContext(_ bytes: [UInt8], at index: Int) throws(ContextError) {
        try control.registryLock.withLock { () throws(ContextError) in
            var all = contexts
            all[index] = bytes
            let joined = cleaned(all)
            guard joined.count <= AmbientContext.limit else { throw ContextError(length: joined.count) }
            contexts = all
            ambient.replace(joined)
        }
    }

    /// Replaces what may not reach the queue, for calls and for what the context providers have published.
    func setRedaction(_ change: () -> Void) {
        control.registryLock.withLock {
            change()
            guard contexts.contains(where: { !$0.isEmpty }) else { return }
            let joined = cleaned(contexts)
            // Better nothing than what may not be there.
            ambient.replace(joined.count <= AmbientContext.limit ? joined : [])
        }
    }

    /// What all providers have published, as it may reach the queue.
    private func cleaned(_ contexts: [[UInt8]]) -> [UInt8] {
        guard let table = redaction.table else { return Array(contexts.joined()) }
        return contexts.flatMap { table.cleanedContext($0) }
    }
}
