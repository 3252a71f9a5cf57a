#if Store
internal import GRDB
internal import Taffrail

extension StoreFile {
    /// Opens a connection that only reads; another process may be writing.
    ///
    /// - Parameter cache: The most KiB of pages that it keeps.
    func openForReading(cache: Int = 8_192) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.label = "taffrail.store.reader"
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -\(cache)") }
        return try again { try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Runs a body that reads with such a connection.
    func read<R>(_ queue: DatabaseQueue, _ body: (Database) throws -> R) throws -> R {
        try again { try queue.read(body) }
    }

    /// Runs a body; a second time if a program was killed in a transaction, which has to be rolled back first. A
    /// connection that only reads cannot do that.
    private func again<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as DatabaseError {
            guard error.extendedResultCode == .SQLITE_READONLY_ROLLBACK else { throw error }
            try rollBack()
            return try body()
        }
    }

    /// Rolls back the transaction of a killed program, for which the database must be writable.
    private func rollBack() throws {
        // A program that has the store open for writing has done so.
        do { try openLocked() } catch let error as StoreError where error.kind == .busy {}
    }

    /// Opens the database as its writer does, and closes it. The first access rolls back.
    private func openLocked() throws {
        let lock = try StoreLock(self)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        lock.journal.configure(&configuration)
        try DatabaseQueue(path: path, configuration: configuration).close()
        lock.unlock()
    }

    /// Writes a copy of the current state of the database into a file that must not exist, while others may write.
    func backUp(_ queue: DatabaseQueue, to file: String) throws(StoreError) {
        do {
            // Like the store, only its owner may read it.
            let copy = try FileDescriptor(creating: file)
            do {
                try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [file]) }
                try copy.synchronize(withAttributes: true)
            } catch {
                try? FileName.remove(file)
                throw error
            }
        } catch {
            throw StoreError(error, path: file)
        }
    }
}
#endif
