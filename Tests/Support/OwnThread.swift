internal import Dispatch
internal import Taffrail

/// A thread of a test's own, for calls that may block: the threads of tasks are too few for that.
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

    /// Waits for its end. Once.
    package func join() { done.wait() }
}
