internal import CTaffrail

/// The values bound by a task: attributes, a trace, and the destination of its records. Read at the call; costs nothing
/// until a value has been bound for the first time.
final class TaskContext: Sendable {
    @TaskLocal private static var bound: TaskContext?

    let attributes: [UInt8]
    let trace: TraceContext?
    /// The destination of records below the level.
    let backtrace: Backtrace?
    /// The destination of records instead of their pipeline. The task's other values apply there as well.
    let capture: RecordCapture?

    /// Creates the current context with more attributes in front, and with other values in place of its own, if given.
    init(
        adding attributes: LogAttributes? = nil, trace: TraceContext? = nil, backtrace: Backtrace? = nil,
        capture: RecordCapture? = nil
    ) {
        let current = Self.current
        let inherited = current?.attributes ?? []
        self.attributes = attributes.map { $0.withBytes { [UInt8]($0) } + inherited } ?? inherited
        self.trace = trace ?? current?.trace
        self.backtrace = backtrace ?? current?.backtrace
        self.capture = capture ?? current?.capture
        if capture != nil { taffrail_capture_use() }
    }

    /// The context of the calling task.
    @inline(__always)
    static var current: TaskContext? { isUsed ? bound : nil }

    /// Whether any task has ever bound a context.
    @inline(__always)
    static var isUsed: Bool { taffrail_task_context_is_used() & CInt(TAFFRAIL_TASK_CONTEXT) != 0 }

    /// Whether a pipeline has ever had a trace source.
    @inline(__always)
    static var mayHaveTraceSource: Bool { taffrail_task_context_is_used() & CInt(TAFFRAIL_TRACE_SOURCE) != 0 }

    /// Whether the calling task has a trace.
    @inline(never)
    static var hasTrace: Bool { current?.trace != nil }

    /// Appends the attributes of the calling task to the record being encoded.
    @inline(never)
    static func appendAttributes(to scratch: Scratch) {
        if let bound { scratch.append(bound.attributes) }
    }

    /// Writes the trace of the calling task, if any, to `tail`, which has room for it.
    ///
    /// - Returns: The end of the trace.
    @inline(never)
    static func putTrace(
        of record: UnsafeMutableRawPointer, at tail: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        var tail = tail
        if let trace = bound?.trace { record.put(trace, at: &tail) }
        return tail
    }

    func bind<R>(operation: () throws -> R) rethrows -> R {
        taffrail_task_context_use()
        return try Self.$bound.withValue(self, operation: operation)
    }

    nonisolated(nonsending) func bind<R>(operation: nonisolated(nonsending) () async throws -> R) async rethrows -> R {
        taffrail_task_context_use()
        return try await Self.$bound.withValue(self, operation: operation)
    }
}
