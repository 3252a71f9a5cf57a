internal import Dispatch
internal import Taffrail
internal import TaffrailText

/// Runs the jobs of tasks on threads that may block: if all threads are busy, another one is started.
final class GrowingExecutor: TaskExecutor {
    static let shared = GrowingExecutor()

    private struct State {
        var jobs: [UnownedJob] = []
        var idleThreads = 0
    }

    private let state = Locked(State())
    private let arrivals = DispatchSemaphore(value: 0)

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            return state.jobs.count > state.idleThreads
        }
        arrivals.signal()
        // If the system has no more threads, the job waits for an existing one.
        if needsThread { _ = DedicatedThread.start { self.run() } }
    }

    private func run() {
        while true {
            state.withLock { $0.idleThreads += 1 }
            arrivals.wait()
            let job = state.withLock { state in
                state.idleThreads -= 1
                return state.jobs.removeFirst()
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
