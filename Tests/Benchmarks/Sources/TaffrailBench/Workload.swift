import CBench
import Taffrail

/// What every implementation logs: an int and a short string that exists only at run time.
///
/// The loops are functions that are not inlined into the C entry points: the compiler does not inline C functions
/// (the barrier, and whatever a logger has of that kind) into closures with the C calling convention.
enum Workload {
    /// The eleven-byte user names; their count is a power of two.
    static let users = (0..<BENCH_USERS).map { String(cString: bench_user(Int32($0))) }

    /// The ids of one call of `log_lines`.
    static func ids(_ first: UInt64, _ count: UInt64) -> Range<Int> { Int(first)..<Int(first + count) }

    /// `count` times nothing.
    @inline(never)
    static func loopEmpty(count: UInt64) {
        for _ in 0..<count { bench_barrier() }
    }

    // MARK: Taffrail's calls, however it is set up

    /// A line for each id.
    @inline(never)
    static func logLines(_ ids: Range<Int>) {
        let users = users
        for id in ids {
            Logger.shared.info("request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200")
        }
    }

    /// `count` calls below the level.
    @inline(never)
    static func logDisabled(_ count: Int) {
        let users = users
        for id in 0..<count {
            Logger.shared.debug("request id=\(id) served for user=\(users[id & 7]) by pool=main rc 200")
            bench_barrier()
        }
    }
}
