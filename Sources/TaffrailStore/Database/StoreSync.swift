#if Store
internal import GRDB
internal import GRDBSQLite
internal import Taffrail

/// Notes when the system has failed to write a part of a database or its write-ahead log to the disk. It reports that
/// once, and a second attempt finds nothing to do: that part may not survive power loss as long as the connection is
/// open.
///
/// It checkpoints the log itself, because `wal_autocheckpoint` does not report failures. Used by the thread that uses the
/// connection.
final class StoreSync {
    private(set) var hasLostWrites = false
    private let journal: StoreJournal
    private let limit: CInt

    /// - Parameter limit: The number of pages of the log at which it is written into the database.
    init(_ journal: StoreJournal, checkpointPages limit: Int) {
        self.journal = journal
        self.limit = CInt(clamping: limit)
    }

    /// Starts checkpointing for a connection, which must not outlive this object.
    func watch(_ db: Database) {
        _ = sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context, let connection else { return SQLITE_OK }
                Unmanaged<StoreSync>.fromOpaque(context).takeUnretainedValue().checkpoint(connection, name, pages)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func checkpoint(_ connection: OpaquePointer, _ name: UnsafePointer<CChar>?, _ pages: CInt) {
        guard pages >= limit, sqlite3_wal_checkpoint(connection, name) != SQLITE_OK else { return }
        if sqlite3_extended_errcode(connection) == ResultCode.SQLITE_IOERR_FSYNC.rawValue { hasLostWrites = true }
    }

    /// Runs a body that makes something survive power loss.
    func callAsFunction<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            note(error)
            if let error = error as? SystemError, !error.isMissing { hasLostWrites = true }
            throw error
        }
    }

    /// Notes the failure of a statement, a transaction or a checkpoint. Each of these that writes may begin a new log, and
    /// then synchronizes the old one. With a rollback journal a failed transaction is rolled back, so that nothing is
    /// lost.
    func note(_ error: any Error) {
        guard journal == .writeAhead else { return }
        if (error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_FSYNC { hasLostWrites = true }
    }
}
#endif
