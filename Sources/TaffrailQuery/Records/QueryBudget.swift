internal import Synchronization
internal import Taffrail

/// The time limit of an answer. Queries of ``LogQuery`` in ``run(_:)`` end when the time has passed, or when the answer
/// is no longer needed: some can return the results so far, and where to continue; others throw
/// ``LogQueryError/Kind/tooLong``.
public final class QueryBudget: Sendable {
    @TaskLocal private static var local: QueryBudget?

    /// The budget of the current queries; `nil`: no time limit.
    package static var current: QueryBudget? { local }

    private let end: Int64
    private let softEnd: Int64
    private let isCancelled = Atomic(false)

    /// Creates a budget, whose time begins now.
    public convenience init(_ time: Duration) {
        self.init(time, returning: .nanoseconds(time.nanoseconds / 5 * 4))
    }

    /// - Parameter soft: The time after which queries return the results so far.
    package init(_ time: Duration, returning soft: Duration) {
        let now = SystemClock.monotonicNanoseconds()
        end = now &+ time.nanoseconds
        softEnd = now &+ soft.nanoseconds
    }

    /// Ends the running queries: the client has disconnected.
    public func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Calls a function whose queries have this budget.
    public func run<R>(_ body: () -> R) -> R { Self.$local.withValue(self, operation: body) }

    /// Whether queries must end.
    package var isOver: Bool {
        isCancelled.load(ordering: .relaxed) || SystemClock.monotonicNanoseconds() >= end
    }

    /// Whether queries should return the results so far.
    package var isNearlyOver: Bool {
        isCancelled.load(ordering: .relaxed) || SystemClock.monotonicNanoseconds() >= softEnd
    }

    /// The remaining time; 0 when it has passed.
    package var timeLeft: Duration { .nanoseconds(max(0, end &- SystemClock.monotonicNanoseconds())) }
}
