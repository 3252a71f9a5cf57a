internal import CTaffrail

/// The end of the process: open pipelines are drained at `exit`, and at SIGTERM and SIGINT unless the program handles
/// them.
package enum Lifecycle {
    /// The time limit for draining at the end, 2 s. Changed by tests only, before the first record.
    package static let limit = Locked(Duration.seconds(2))

    private static let pipelines = Locked<[Pipeline]>([])

    /// Made once, by the first pipeline that is opened.
    private static let drain: Void = ThisProcess.atExit {
        let open = pipelines.withLock { $0 }
        let deadline = SystemClock.monotonicNanoseconds() + limit.withLock { $0.nanoseconds }
        for pipeline in open {
            pipeline.end(timeout: .nanoseconds(deadline - SystemClock.monotonicNanoseconds()), closesSinks: false)
        }
    }

    static func opened(_ pipeline: Pipeline) {
        pipelines.withLock { open in
            if !open.contains(where: { $0 === pipeline }) { open.append(pipeline) }
            handleSignals(for: open)
        }
        _ = drain
    }

    static func ended(_ pipeline: Pipeline) {
        pipelines.withLock { open in
            open.removeAll { $0 === pipeline }
            handleSignals(for: open)
        }
    }

    /// Takes signals while an open pipeline must be drained; otherwise restores their default disposition.
    private static func handleSignals(for open: [Pipeline]) {
        let areTaken = open.contains { $0.queueOptions.handleSignals }
        for number in ThisProcess.terminationSignals {
            guard areTaken else {
                taffrail_signal_give_back(number)
                continue
            }
            let result = taffrail_signal_take(number, limit.withLock { $0.nanoseconds })
            if result < 0 { Diagnostics.report("\(SystemError("signal \(number) cannot be handled", code: -result))") }
        }
    }
}
