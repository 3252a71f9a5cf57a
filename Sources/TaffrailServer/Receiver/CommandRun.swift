internal import Taffrail

/// A command that runs on its own thread. May be used on any thread.
final class CommandRun: Sendable {
    private let waiting = Locked<CheckedContinuation<ServerAnswer, Never>?>(nil)
    private let isCancelled = Locked(false)
    private let body: @Sendable () -> ServerAnswer
    private let whenEnded: @Sendable () -> Void

    /// - Parameters:
    ///   - whenEnded: Called when the thread ends, or cannot be started.
    ///   - body: Runs the command.
    init(whenEnded: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () -> ServerAnswer) {
        self.whenEnded = whenEnded
        self.body = body
    }

    /// Runs the command and waits for it, but not beyond the end of the server: ``ControlCommand/isCancelled`` then
    /// becomes true, and the command may continue.
    func answer() async -> ServerAnswer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0 = continuation }
                // The task may have been cancelled before the continuation was set.
                if isCancelled.withLock({ $0 }) { resume(Self.ending) }
                let isStarted = DedicatedThread.start { [self] in
                    let answer = ControlCommand.$isCancelled.withValue({ self.isCancelled.withLock { $0 } }) { body() }
                    whenEnded()
                    resume(answer)
                }
                guard !isStarted else { return }
                whenEnded()
                resume(Problem.outOfThreads.answer)
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            resume(Self.ending)
        }
    }

    private static var ending: ServerAnswer {
        Problem(503, "the server is shutting down; the command may still be running", retryAfter: .seconds(1)).answer
    }

    private func resume(_ answer: ServerAnswer) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: answer)
    }
}
