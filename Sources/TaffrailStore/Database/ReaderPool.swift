#if Store
internal import Dispatch
internal import GRDB
internal import GRDBSQLite
internal import Taffrail
internal import TaffrailQuery

/// Connections that read a store, so that slow answers do not delay the others. Any thread.
final class ReaderPool: Sendable {
    private let file: StoreFile
    /// The free connections; more are opened on demand.
    private let free: Locked<[DatabaseQueue]>
    private let permits: DispatchSemaphore
    /// The size of the page cache of each connection, in KiB.
    private static let cache = 4_096

    /// Creates a pool with one connection.
    ///
    /// - Parameter count: The maximum number of connections.
    init(_ file: StoreFile, count: Int) throws {
        self.file = file
        free = Locked([try file.openForReading(cache: Self.cache)])
        permits = DispatchSemaphore(value: count)
    }

    /// Runs a body with a connection, within the budget of the query; waits if all connections are in use.
    func read<R>(_ body: (Database) throws -> R) throws -> R {
        let budget = QueryBudget.current
        let left = budget.map { Int($0.timeLeft.nanoseconds) }
        let deadline = left.map { DispatchTime.now() + .nanoseconds($0) } ?? .distantFuture
        guard permits.wait(timeout: deadline) == .success else {
            throw LogQueryError(.unavailable, "all readers are busy")
        }
        defer { permits.signal() }
        let queue = try free.withLock { $0.popLast() } ?? file.openForReading(cache: Self.cache)
        defer { free.withLock { $0.append(queue) } }
        return try file.read(queue) { db in
            guard let budget else { return try body(db) }
            return try Self.limited(db, by: budget) { try body(db) }
        }
    }

    /// Runs a body in which statements are interrupted when the time has passed.
    private static func limited<R>(_ db: Database, by budget: QueryBudget, _ body: () throws -> R) throws -> R {
        let steps: CInt = 10_000
        sqlite3_progress_handler(
            db.sqliteConnection, steps,
            { context in
                guard let context else { return 0 }
                return Unmanaged<QueryBudget>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(budget).toOpaque())
        defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
        do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw LogQueryError(.tooLong, "the answer takes too long")
        }
    }
}
#endif
