#if Store
internal import Taffrail

/// The lock of the process that writes to a store, until it is destroyed.
///
/// Destroying it releases the lock explicitly, also when opening the store fails. Closing the file alone would not: a
/// child that another thread has just forked holds the lock until it calls `exec`.
struct StoreLock: ~Copyable {
    private let file: FileDescriptor

    /// - Throws: `StoreError.busy` if another process has the lock, or the `SystemError` of the lock file.
    init(_ store: StoreFile) throws {
        let file = try store.openLock()
        guard file.lock() else { throw StoreError(.busy, "\(store.path) is being written by another process") }
        self.file = file
    }

    /// The journal for the file system of the store.
    var journal: StoreJournal { StoreJournal(onDiskOf: file) }

    deinit { unlock() }

    /// Releases the lock before the end.
    func unlock() { file.unlock() }
}
#endif
