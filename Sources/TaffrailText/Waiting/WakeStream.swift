internal import Taffrail

/// Wakes one task that waits in a loop. Calls of ``wake()`` while the task is busy are combined into one element. Any
/// thread may call.
package final class WakeStream: Sendable {
    private let listener = Locked<AsyncStream<Void>.Continuation?>(nil)

    package init() {}

    /// Returns a stream with one element at once, because there may already be work, and one after each ``wake()``.
    /// Ends the stream of an earlier call.
    package func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        replace(with: continuation)
        return stream
    }

    /// Wakes the task, if there is one.
    package func wake() {
        let listener = listener.withLock { $0 }
        listener?.yield()
    }

    /// Ends the stream.
    package func finish() { replace(with: nil) }

    deinit { finish() }

    private func replace(with new: AsyncStream<Void>.Continuation?) {
        let before = listener.withLock { listener in
            defer { listener = new }
            return listener
        }
        before?.finish()
    }
}
