// Loggers, their levels, the source of their traces, and where the records of a task go instead.

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
