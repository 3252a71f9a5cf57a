internal import Taffrail

/// Wakes one task that waits in a loop. Calls of ``wake()`` while it is at work make one element for all of them. Any thread
/// may call.
package final class WakeStream: Sendable {
    private let listener = Locked<AsyncStream<Void>.Continuation?>(nil)

    package init() {}

    /// Returns a stream with an element now, as there may have been something before, and after each ``wake()``. The
    /// stream of an earlier call ends.
    package func listen() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        replace(with: continuation)
        return stream
    }

    /// Wakes the task; nothing if there is none.
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
