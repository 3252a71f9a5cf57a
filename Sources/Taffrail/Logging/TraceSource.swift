internal import CTaffrail
internal import Synchronization

/// The closure that supplies the trace of records for which no task has bound one. Called only once some pipeline has
/// one.
struct TraceSource: @unchecked Sendable {
    private final class Box: Sendable {
        let source: @Sendable () -> TraceContext?

        init(_ source: @escaping @Sendable () -> TraceContext?) { self.source = source }
    }

    private let word: UnsafeMutablePointer<Atomic<UInt>>

    /// Creates a source without a trace that is never freed.
    init() {
        word = .allocate(capacity: 1)
        word.initialize(to: Atomic(0))
    }

    /// The closure. A replaced one is never freed, because a call may still be running it.
    var source: (@Sendable () -> TraceContext?)? { box?.source }

    func set(_ source: (@Sendable () -> TraceContext?)?) {
        let bits = source.map { UInt(bitPattern: Unmanaged.passRetained(Box($0)).toOpaque()) } ?? 0
        word.pointee.store(bits, ordering: .releasing)
        if bits != 0 { taffrail_trace_source_use() }
    }

    private var box: Box? {
        UnsafeRawPointer(bitPattern: word.pointee.load(ordering: .acquiring)).map {
            Unmanaged<Box>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Returns the trace of the calling thread or task; `nil` also while the source itself is logging.
    @inline(never)
    func trace(_ scratch: Scratch) -> TraceContext? {
        guard let box, scratch.state.pointee.asking == 0 else { return nil }
        scratch.state.pointee.asking = 1
        defer { scratch.state.pointee.asking = 0 }
        return box.source()
    }
}
