import Foundation

/// A thread of a test's own, for calls that may block: the threads of tasks are too few for that.
final class OwnThread: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let done = done
        Thread.detachNewThread {
            body()
            done.signal()
        }
    }

    /// Waits for its end. Once.
    func join() { done.wait() }
}
