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
        do { return try DatabaseQueue(path: path, configuration: configuration) } catch let error as DatabaseError {
            guard error.extendedResultCode == .SQLITE_READONLY_ROLLBACK else { throw error }
            try rollBack()
            return try DatabaseQueue(path: path, configuration: configuration)
        }
    }

    /// Rolls back the transaction of a program that was killed, for which the database must be writable.
    private func rollBack() throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // Its first access rolls back.
        try DatabaseQueue(path: path, configuration: configuration).close()
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
