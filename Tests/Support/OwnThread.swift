internal import Dispatch
internal import Taffrail

/// A separate thread of a test, for calls that may block, because there are too few threads of tasks.
package final class OwnThread: Sendable {
    private let done = DispatchSemaphore(value: 0)

    package init(_ body: @escaping @Sendable () -> Void) {
        let done = done
        let isStarted = DedicatedThread.start {
            body()
            done.signal()
        }
        precondition(isStarted, "the system refuses a thread")
    }

    /// Waits for the end of the thread. Must be called only once.
    package func join() { done.wait() }
}
