internal import CTaffrail
internal import Glibc

/// The end of the process: open pipelines are drained at `exit`, and at SIGTERM and SIGINT where nobody else cares.
enum Lifecycle {
    /// How long draining may take at the end.
    static let limitSeconds = 2.0

    private struct State {
        var open: [Pipeline] = []
        var isRegistered = false
    }

    private static let state = Guarded(State())

    static func opened(_ pipeline: Pipeline, handlesSignals: Bool) {
        let isFirst = state.withLock { state in
            if !state.open.contains(where: { $0 === pipeline }) { state.open.append(pipeline) }
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        if isFirst { atexit { Lifecycle.drainAll() } }
        if handlesSignals {
            for signal in [SIGTERM, SIGINT] { takeSignal(signal) }
        }
    }

    static func ended(_ pipeline: Pipeline) {
        state.withLock { $0.open.removeAll { $0 === pipeline } }
    }

    private static func takeSignal(_ number: CInt) {
        let result = taffrail_signal_take(number, Int64(limitSeconds * 1e9))
        if result < 0 { Diagnostics.report("\(SystemError("signal \(number) is not taken", code: -result))") }
    }

    private static func drainAll() {
        let pipelines = state.withLock { $0.open }
        let deadline = Clock.monotonicNanoseconds() + Int64(limitSeconds * 1e9)
        for pipeline in pipelines {
            let left = Double(max(0, deadline - Clock.monotonicNanoseconds())) / 1e9
            pipeline.end(seconds: left, closesSinks: false)
        }
    }
}
