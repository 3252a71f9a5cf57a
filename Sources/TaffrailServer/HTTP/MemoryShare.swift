internal import Taffrail

/// A request's share of the memory of all requests; released at the end of the request.
package final class MemoryShare: Sendable {
    private let budget: MemoryBudget
    private let taken = Locked(0)

    init(of budget: MemoryBudget) { self.budget = budget }

    deinit { budget.give(taken.withLock { $0 }) }

    /// Reserves bytes.
    ///
    /// - Throws: 503 if too few are left now, 413 if the request needs more than all requests together may use.
    func take(_ bytes: Int) throws(Problem) {
        let sum = taken.withLock { $0 } + bytes
        guard sum <= budget.size else { throw Problem(413, "the body needs more than \(budget.size) bytes of memory") }
        guard budget.take(bytes) else { throw Problem(503, "too many simultaneous requests", retryAfter: .seconds(1)) }
        taken.withLock { $0 += bytes }
    }

    /// Releases bytes.
    func give(_ bytes: Int) {
        taken.withLock { $0 -= bytes }
        budget.give(bytes)
    }
}
