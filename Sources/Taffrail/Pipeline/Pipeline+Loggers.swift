// Loggers, their levels, the attributes of all their records, and where the records of a task go instead.

extension Pipeline {
    /// The logger without a name.
    public var logger: Logger { Logger(root) }

    /// Returns the logger with a name.
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

    /// Logs an imported record like the logger of its name, by that logger's level, without ambient attributes. No
    /// logger is created, so the number of names sent by others is not limited.
    public func log(received record: LogRecord) {
        prepare()
        let level = control.registryLock.withLock { loggers.levels.level(of: record.logger) }
        if record.level >= level { root.log(record, bound: nil, ignoresLevel: true, ambient: false) }
    }

    // MARK: Levels

    /// The minimum level, for loggers whose name has no other one.
    public var level: Level {
        get {
            prepare()
            return control.registryLock.withLock { loggers.levels.root }
        }
        set { changeLevels { $0.root = newValue } }
    }

    /// Sets, or with `nil` removes, the level of the loggers with a name and those below it. Takes effect at once.
    public func setLevel(_ level: Level?, forLogger name: String) { changeLevels { $0.byName[name] = level } }

    func changeLevels(_ change: (inout LevelTable) -> Void) {
        prepare()
        control.registryLock.withLock { change(&loggers.levels) }
    }

    func lowerGates(to level: Level, by count: Int) {
        prepare()
        control.registryLock.withLock { loggers.countBacktrace(at: level, count) }
    }

    /// Applies the levels to the gates, once.
    func prepare() {
        if control.needsLevels { prepareSlowly() }
    }

    @inline(never)
    private func prepareSlowly() {
        control.registryLock.withLock {
            guard control.needsLevels else { return }
            loggers.applyLevels()
            control.needsLevels = false
        }
    }

    // MARK: Ambient attributes

    /// Adds a context provider and starts it.
    public func add(_ provider: any ContextProvider) { _ = attach(provider) }

    /// Adds a context provider and starts it.
    ///
    /// - Returns: Its slot, for ``detach(_:)``.
    package func attach(_ provider: any ContextProvider) -> ContextSlot {
        let id = control.registryLock.withLock { contexts.add(yieldsTo: provider.yieldsTo) }
        let slot = ContextSlot(pipeline: self, id: id)
        provider.publish(into: slot)
        return slot
    }

    /// Removes a context provider: its attributes are removed, and later ones are ignored.
    package func detach(_ slot: ContextSlot) {
        control.registryLock.withLock {
            contexts.remove(slot.id)
            publishContexts()
        }
    }

    /// Changes the redaction of calls and of the context providers' attributes.
    func setRedaction(_ change: () -> Void) {
        control.registryLock.withLock {
            change()
            publishContexts()
        }
    }

    /// Activates the attributes that the providers have published. Requires the registry lock.
    @inline(never)
    func publishContexts() {
        let joined = contexts.joined(redact: redacted)
        ambient.replace(joined)
        // Without a ring, as in a forked child, the next ring starts with them. A ring that has ended is not harmed:
        // nothing refers to a slot that is written then.
        if let header = control.header { contextSlots.publish(joined, to: header, control) }
    }

    /// Returns a provider's attributes after redaction. Called again for all of them when the redaction changes.
    func redacted(_ bytes: [UInt8]) -> [UInt8] { redaction.object?.cleanedContext(bytes) ?? bytes }

    /// The attributes that context providers have published, as the next record gets them.
    public var contextAttributes: [LogValueEntry] {
        var bytes = [UInt8](repeating: 0, count: AmbientContext.limit)
        let length = bytes.withUnsafeMutableBytes { room in room.baseAddress.map { ambient.copy(to: $0) } ?? 0 }
        return AttributeCodec.entries(Array(bytes.prefix(length)))
    }

    /// Returns a record as the queue would get it: after redaction by key and the guards.
    ///
    /// - Returns: `nil` if it would be kept out.
    package func reviewed(_ record: LogRecord) -> LogRecord? {
        guard let table = redaction.object else { return record }
        let scratch = Scratch.current
        guard let frame = scratch.begin() else { return nil }
        defer { scratch.end(frame) }
        let message = scratch.cursor
        scratch.append(record.message)
        var attributes = scratch.cursor
        AttributeCodec.append(record.attributes, to: scratch)
        let found = table.redact(message: message, attributes: attributes, event: record.eventName, in: scratch)
        guard let found else { return nil }
        attributes = found
        var result = record
        result.attributes = AttributeCodec.entries(scratch.bytes(from: attributes))
        result.message = String(
            decoding: UnsafeRawBufferPointer(start: scratch.pointer(at: message), count: attributes - message),
            as: UTF8.self)
        return result
    }

    // MARK: Trace

    /// The source of the trace of records for which neither the call nor the task has one: the current span of a
    /// tracer.
    ///
    /// Called on the thread of each log call that passes the gate; records that the source itself logs get no trace
    /// from it. Imported records (``Logger/log(_:ambient:)``) get none either. Default `nil`. A replaced source is
    /// never freed: set it once.
    public var traceSource: (@Sendable () -> TraceContext?)? {
        get { traces.source }
        set { traces.set(newValue) }
    }

    // MARK: Capture

    /// Captures the records that the task and its children log with this pipeline's loggers while `operation` runs;
    /// they do not reach the queue.
    package func capture<R>(into capture: RecordCapture, operation: () throws -> R) rethrows -> R {
        lowerGates(to: capture.level, by: 1)
        defer { lowerGates(to: capture.level, by: -1) }
        return try TaskContext(capture: capture).bind(operation: operation)
    }

    /// Captures the records that the task and its children log with this pipeline's loggers while an asynchronous
    /// operation runs; they do not reach the queue.
    package nonisolated(nonsending) func capture<R>(
        into capture: RecordCapture, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        lowerGates(to: capture.level, by: 1)
        defer { lowerGates(to: capture.level, by: -1) }
        return try await TaskContext(capture: capture).bind(operation: operation)
    }
}
