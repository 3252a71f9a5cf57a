public import CTaffrail

/// Writes records to a pipeline.
///
///     let logger = Logger("net.http")
///     logger.info("left pier \(pier)", ["speed": 7.5])
///     Logger.shared.error("connection failed: \(reason)")
///
/// A logger is a value: keep it, copy it, pass it on. A call below the level loads and compares one byte and evaluates
/// none of its arguments. An enabled call encodes the record into the queue and returns; then the record
/// survives SIGKILL. Any thread or task may call, also from within the arguments of another call.
///
/// A library that logs must stay loaded. After `dlclose`, which Swift's runtime does not support either, nothing reads its
/// memory, because a call site's names are copied with its first record; but a call site of a library that is loaded at
/// the same address may get those names, and continue the counts of ``once(file:line:)`` and similar limits.
public struct Logger: @unchecked Sendable {
    @usableFromInline
    let gate: UnsafePointer<taffrail_gate>
    /// The encoded attributes that it adds to its records.
    @usableFromInline
    let bound: StoredBytes?

    @inlinable
    init(sharedGate: UnsafePointer<taffrail_gate>) {
        gate = sharedGate
        bound = nil
    }

    init(_ source: UnsafeMutablePointer<LoggerState>, bound: StoredBytes? = nil) {
        gate = source.pointee.gate
        self.bound = bound
    }

    /// The logger that needs no set-up: it writes `app.log`, unless the environment or ``Pipeline/shared`` is
    /// configured otherwise.
    @inlinable
    public static var shared: Logger { Logger(sharedGate: taffrail_shared_gate_address()) }

    /// The logger's name; empty for ``shared``.
    public var name: String { resolved.pointee.name }

    /// Returns a logger that adds attributes to each of its records, after those of the call.
    public func with(_ attributes: LogAttributes) -> Logger {
        let added = attributes.withBytes { [UInt8]($0) }
        return Logger(resolved, bound: StoredBytes(added + (bound?.bytes ?? [])))
    }

    /// Returns a logger that adds attributes from variables to each of its records, after those of the call.
    @_disfavoredOverload
    public func with(_ attributes: LogAttributes.Converted) -> Logger { with(attributes.attributes) }

    /// Adds attributes from variables to every record logged while `operation` runs, by any logger, also in child
    /// tasks. They follow those of the call and the logger.
    @_disfavoredOverload
    public static func withAttributes<R>(
        _ attributes: LogAttributes.Converted, operation: () throws -> R
    ) rethrows -> R {
        try withAttributes(attributes.attributes, operation: operation)
    }

    /// Adds attributes from variables to every record logged while `operation` runs, by any logger, also in child
    /// tasks.
    @_disfavoredOverload
    public nonisolated(nonsending) static func withAttributes<R>(
        _ attributes: LogAttributes.Converted, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        try await withAttributes(attributes.attributes, operation: operation)
    }

    /// Returns whether this logger logs records of a level.
    @inlinable
    public func isEnabled(_ level: Level) -> Bool { level.rawValue >= taffrail_gate_level(gate) }

    /// Logger states are never freed. A gate without one belongs to the shared pipeline before its first
    /// use.
    @inline(__always)
    var resolved: UnsafeMutablePointer<LoggerState> {
        taffrail_gate_source(gate)?.assumingMemoryBound(to: LoggerState.self) ?? LoggerState.shared
    }

    @usableFromInline
    @inline(never)
    func emit(_ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, at site: CallSite) {
        resolved.log(level, message, attributes, bound: bound, at: site)
    }

    @usableFromInline
    @inline(never)
    func emit(
        _ level: Level, _ message: () -> LogMessage, _ attributes: () -> LogAttributes, event: StaticString?,
        at site: CallSite
    ) {
        guard let event else { return emit(level, message, attributes, at: site) }
        resolved.enqueueMore(
            level, message, attributes, UnsafeMutablePointer.More(bound: bound, event: event), at: site)
    }
}

// MARK: Tasks

extension Logger {
    /// Adds attributes to every record logged while `operation` runs, by any logger, also in child tasks. They follow
    /// those of the call and the logger.
    public static func withAttributes<R>(_ attributes: LogAttributes, operation: () throws -> R) rethrows -> R {
        try TaskContext(adding: attributes).bind(operation: operation)
    }

    /// Adds attributes to every record logged while `operation` runs, by any logger, also in child tasks.
    public nonisolated(nonsending) static func withAttributes<R>(
        _ attributes: LogAttributes, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        try await TaskContext(adding: attributes).bind(operation: operation)
    }

    /// Adds a trace and span to every record logged while `operation` runs.
    public static func withTrace<R>(_ trace: TraceContext, operation: () throws -> R) rethrows -> R {
        try TaskContext(trace: trace).bind(operation: operation)
    }

    /// Adds a trace and span to every record logged while `operation` runs.
    public nonisolated(nonsending) static func withTrace<R>(
        _ trace: TraceContext, operation: nonisolated(nonsending) () async throws -> R
    ) async rethrows -> R {
        try await TaskContext(trace: trace).bind(operation: operation)
    }
}
