#if Store
internal import Taffrail

/// The lock of the process that writes to a store, until it is destroyed.
///
/// It is then released even if a child that another thread is starting still has the file open, also where opening the
/// store has failed: closing the file alone would leave the lock to the child until that calls `exec`.
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
