#if Store
internal import Taffrail
internal import TaffrailQuery
internal import TaffrailStore
internal import TaffrailTransport

/// Deletes what is beyond the limits of a store, on a thread of its own: when it starts, and then at equal intervals, also
/// while no records come.
final class LogStoreMaintenance: Sendable {
    private let work: Work
    private let isStarted: Bool

    /// What the thread uses.
    private final class Work: Sendable {
        let store: LogStore
        let keep: LogRetention
        let interrupt = Interrupt()
        let isDone = Interrupt()
        /// The budget of the round that is under way.
        let budget = Locked<QueryBudget?>(nil)

        init(_ store: LogStore, _ keep: LogRetention) {
            self.store = store
            self.keep = keep
        }

        func maintain() {
            let own = QueryBudget(.days(1))
            budget.withLock { $0 = own }
            defer { budget.withLock { $0 = nil } }
            own.run {
                do throws(StoreError) { try store.maintain(keep) { interrupt.isTriggered } } catch {
                    guard !interrupt.isTriggered else { return }
                    Diagnostics.report("the log store cannot be maintained: \(error)")
                }
            }
        }
    }

    /// Starts it.
    init(_ store: LogStore, _ keep: LogRetention, every interval: Duration) {
        let work = Work(store, keep)
        self.work = work
        isStarted = DedicatedThread.start {
            repeat { work.maintain() } while work.interrupt.wait(nanoseconds: interval.nanoseconds) == .timeout
            work.isDone.trigger()
        }
    }

    /// Ends it, after the transaction that is under way; the rest is deleted in the next round.
    func stop() {
        work.interrupt.trigger()
        work.budget.withLock { $0?.cancel() }
        // Not longer than a sink may take to close.
        if isStarted { _ = work.isDone.wait(nanoseconds: 10_000_000_000) }
    }
}
#endif
