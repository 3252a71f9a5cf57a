#if Store
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailText

/// Maintains a store on a separate thread, never on the writer's: runs each job at its interval, even while nothing is
/// saved.
package final class StoreMaintenance: Sendable {
    /// A recurring job.
    package struct Job: Sendable {
        let interval: Duration
        let delay: Duration
        let body: @Sendable (_ isCancelled: () -> Bool) throws -> Void

        /// Creates a job.
        ///
        /// - Parameters:
        ///   - interval: The time from the end of a run to the next start; after a failure, at most a minute.
        ///   - delay: The time until the first start. Default: none.
        ///   - body: The job, which must end after the current transaction when its parameter returns `true`.
        package init(
            every interval: Duration, after delay: Duration = .zero,
            _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Void
        ) {
            self.interval = interval
            self.delay = delay
            self.body = body
        }
    }

    private let work: Work
    private let isStarted: Bool

    /// Starts the thread.
    ///
    /// - Parameter name: The name of the owner in messages.
    package init(_ name: String, _ jobs: [Job]) {
        let work = Work(name, jobs)
        self.work = work
        isStarted = DedicatedThread.start {
            work.run()
            work.ended.trigger()
        }
    }

    /// Ends the maintenance after the current transaction; the next run does the rest.
    package func stop() {
        work.interrupt.trigger()
        work.budget.withLock { $0?.cancel() }
        // Limited to the time that a sink may take to close.
        if isStarted { _ = work.ended.wait(timeout: .seconds(10)) }
    }

    /// The state of the thread.
    private final class Work: Sendable {
        let name: String
        let jobs: [Job]
        let interrupt = Interrupt()
        let ended = Interrupt()
        /// The budget of the current job.
        let budget = Locked<QueryBudget?>(nil)
        private static let retry = Duration.minutes(1)

        init(_ name: String, _ jobs: [Job]) {
            self.name = name
            self.jobs = jobs
        }

        private enum Outcome: Equatable {
            case done
            /// Another process uses the store, and maintains it.
            case busy
            case failed(String)
        }

        func run() {
            let start = SystemClock.monotonicNanoseconds()
            var due = jobs.map { start &+ $0.delay.nanoseconds }
            var last = jobs.map { _ in Outcome.done }
            repeat {
                for (index, job) in jobs.enumerated() where due[index] <= SystemClock.monotonicNanoseconds() {
                    let outcome = execute(job)
                    // A persistent failure is reported only once.
                    if case .failed(let reason) = outcome, outcome != last[index] {
                        Diagnostics.report("\(name): the store cannot be maintained: \(reason)")
                    }
                    last[index] = outcome
                    let pause = outcome == .done ? job.interval : min(job.interval, Self.retry)
                    due[index] = SystemClock.monotonicNanoseconds(after: pause)
                }
            } while interrupt.wait(timeout: pause(until: due)) == .timeout
        }

        /// Returns the time until the next job is due, at most a day.
        private func pause(until due: [Int64]) -> Duration {
            let first = due.min().map { Duration.nanoseconds($0 &- SystemClock.monotonicNanoseconds()) }
            return min(first ?? .days(1), .days(1))
        }

        private func execute(_ job: Job) -> Outcome {
            let own = QueryBudget(.days(1))
            budget.withLock { $0 = own }
            defer { budget.withLock { $0 = nil } }
            return own.run {
                do {
                    // An interrupt triggered before the budget was stored has not cancelled it.
                    if !interrupt.isTriggered { try job.body { interrupt.isTriggered } }
                    return .done
                } catch {
                    if interrupt.isTriggered { return .done }
                    return (error as? StoreError)?.kind == .busy ? .busy : .failed("\(error)")
                }
            }
        }
    }
}
#endif
