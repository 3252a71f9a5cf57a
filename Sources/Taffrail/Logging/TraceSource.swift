internal import CTaffrail

/// The closure that supplies the trace of records for which no task has bound one. Called only once some pipeline has
/// one.
struct TraceSource: Sendable {
    private final class Box: Sendable {
        let source: @Sendable () -> TraceContext?

        init(_ source: @escaping @Sendable () -> TraceContext?) { self.source = source }
    }

    private let reference = PermanentReference<Box>()

    /// The closure. A replaced one is never freed, because a call may still be running it.
    var source: (@Sendable () -> TraceContext?)? { reference.object?.source }

    func set(_ source: (@Sendable () -> TraceContext?)?) {
        reference.set(source.map { Box($0) })
        if source != nil { taffrail_trace_source_use() }
    }

    /// Returns the trace of the calling thread or task; `nil` also while the source itself is logging.
    @inline(never)
    func trace(_ scratch: Scratch) -> TraceContext? {
        guard let box = reference.object, scratch.state.pointee.asking == 0 else { return nil }
        scratch.state.pointee.asking = 1
        defer { scratch.state.pointee.asking = 0 }
        return box.source()
    }
}
