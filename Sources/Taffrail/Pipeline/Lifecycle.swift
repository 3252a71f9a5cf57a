internal import CTaffrail

/// The end of the process: open pipelines are drained at `exit`, and at SIGTERM and SIGINT unless the program handles
/// them.
package enum Lifecycle {
    /// The time limit for draining at the end, 2 s. Changed by tests only, before the first record.
    package static let limit = Locked(Duration.seconds(2))

    private struct State {
        var open: [Pipeline] = []
        var isRegistered = false

        /// Takes signals while an open pipeline must be drained; otherwise restores their default disposition.
        func handleSignals() {
            let areTaken = open.contains { $0.queueOptions.handleSignals }
            for number in ThisProcess.terminationSignals {
                guard areTaken else {
                    taffrail_signal_give_back(number)
                    continue
                }
                let result = taffrail_signal_take(number, limit.withLock { $0.nanoseconds })
                if result < 0 {
                    Diagnostics.report("\(SystemError("signal \(number) cannot be handled", code: -result))")
                }
            }
        }
    }

    private static let state = Locked(State())

    static func opened(_ pipeline: Pipeline) {
        let isFirst = state.withLock { state in
            if !state.open.contains(where: { $0 === pipeline }) { state.open.append(pipeline) }
            state.handleSignals()
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        if isFirst { ThisProcess.atExit { Lifecycle.drainAll() } }
    }

    static func ended(_ pipeline: Pipeline) {
        state.withLock { state in
            state.open.removeAll { $0 === pipeline }
            state.handleSignals()
        }
    }

    private static func drainAll() {
        let pipelines = state.withLock { $0.open }
        let deadline = SystemClock.monotonicNanoseconds() + limit.withLock { $0.nanoseconds }
        for pipeline in pipelines {
            pipeline.end(timeout: .nanoseconds(deadline - SystemClock.monotonicNanoseconds()), closesSinks: false)
        }
    }
}
