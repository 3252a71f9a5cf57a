package import Taffrail

extension DedicatedThread {
    /// Runs `body` on a thread of its own and waits for its result; `nil` when the system refuses the thread.
    package static func value<Result: Sendable>(
        takesSignals: Bool = true, of body: @escaping @Sendable () -> Result
    ) async -> Result? {
        await withCheckedContinuation { continuation in
            let isStarted = start(takesSignals: takesSignals) { continuation.resume(returning: body()) }
            if !isStarted { continuation.resume(returning: nil) }
        }
    }
}
