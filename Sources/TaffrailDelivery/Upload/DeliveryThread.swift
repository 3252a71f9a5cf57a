internal import Taffrail

/// A sink's own thread, which sends while the writer thread continues: it is started once, woken as needed, and ended
/// within a bounded time.
///
/// Any thread may call, except where noted.
package final class DeliveryThread: Sendable {
    /// The progress of ending the thread.
    package enum Phase: Sendable, Equatable {
        case working
        /// It may send the remaining records, but must not wait for more.
        case ending
        /// It must return.
        case stopping
    }

    private struct State {
        var isRunning = false
        var phase = Phase.working
    }

    private let name: StaticString
    private let state = Locked(State())
    private let work = WakeUp()
    private let ended = WakeUp()

    /// - Parameter name: The thread's name, of at most 15 bytes.
    package init(named name: StaticString) { self.name = name }

    /// Starts the thread, unless it runs or has been stopped.
    ///
    /// - Parameter body: The thread's work. It is released when it returns.
    /// - Returns: `false` if the system cannot start a thread.
    package func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let isNew = state.withLock { state in
            guard !state.isRunning, state.phase != .stopping else { return false }
            state.isRunning = true
            return true
        }
        guard isNew else { return true }
        let isStarted = DedicatedThread.start(named: name, takesSignals: false) {
            body()
            self.state.withLock { $0.isRunning = false }
            self.ended.advance()
        }
        if !isStarted { state.withLock { $0.isRunning = false } }
        return isStarted
    }

    /// Wakes the thread from ``sleep(while:for:)``.
    package func wake() { work.advance() }

    /// Ends the thread.
    ///
    /// - Parameters:
    ///   - drain: How long it may first send the remaining records.
    ///   - limit: How long to wait for its end after that.
    ///   - interrupt: Makes whatever the thread is waiting for end soon.
    package func stop(drain: Duration = .zero, limit: Duration = .seconds(1), interrupting interrupt: () -> Void) {
        if drain > .zero {
            state.withLock { $0.phase = max($0.phase, .ending) }
            work.advance()
            wait(drain)
        }
        state.withLock { $0.phase = .stopping }
        interrupt()
        work.advance()
        wait(limit)
    }

    private func wait(_ duration: Duration) {
        let deadline = SystemClock.monotonicNanoseconds(after: duration)
        while true {
            let seen = ended.value
            guard state.withLock({ $0.isRunning }) else { return }
            let left = deadline &- SystemClock.monotonicNanoseconds()
            if left <= 0 { return }
            ended.wait(while: seen, nanoseconds: left)
        }
    }

    // MARK: On the thread

    package var phase: Phase { state.withLock { $0.phase } }

    /// The number of wake-ups so far: read it before anything whose change must not be missed.
    package var wakeUps: UInt32 { work.value }

    /// Sleeps until it is woken after `seen` was read. Called on the thread only.
    ///
    /// - Parameter duration: How long at most; `nil`: without a limit.
    package func sleep(while seen: UInt32, for duration: Duration?) {
        work.wait(while: seen, nanoseconds: duration?.nanoseconds)
    }

    /// Sleeps for a duration, regardless of ``wake()``, unless the thread is being ended. Called on the thread only.
    package func pause(for duration: Duration) {
        let deadline = SystemClock.monotonicNanoseconds(after: duration)
        while true {
            let seen = work.value
            guard phase == .working else { return }
            let left = deadline &- SystemClock.monotonicNanoseconds()
            if left <= 0 { return }
            work.wait(while: seen, nanoseconds: left)
        }
    }
}

extension DeliveryThread.Phase: Comparable {}
