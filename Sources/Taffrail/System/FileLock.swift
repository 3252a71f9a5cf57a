internal import CTaffrail
internal import Glibc

/// Exclusive locks on byte ranges, held by an open file (OFD locks): they work between processes and between two open
/// files of one process. Closing the last descriptor releases them, and so does SIGKILL.
enum FileLock {
    /// Waits until the range is free and locks it.
    static func acquire(_ file: borrowing FileDescriptor, start: Int64, length: Int64) throws(SystemError) {
        let code = taffrail_lock_range(file.number, CInt(TAFFRAIL_F_OFD_SETLKW), 1, start, length)
        guard code == 0 else { throw SystemError("lock \(file.path)", code: code) }
    }

    /// Locks the range if it is free.
    ///
    /// - Returns: `false` when the range is locked elsewhere.
    static func tryAcquire(_ file: borrowing FileDescriptor, start: Int64, length: Int64) throws(SystemError) -> Bool {
        let code = taffrail_lock_range(file.number, CInt(TAFFRAIL_F_OFD_SETLK), 1, start, length)
        if code == EAGAIN || code == EACCES { return false }
        guard code == 0 else { throw SystemError("lock \(file.path)", code: code) }
        return true
    }

    /// Creates a file, with a second descriptor that holds its lock and is closed by `fork` in children.
    ///
    /// A process that finds the file before it is locked removes it as a leftover; creation is then retried.
    static func createLocked(_ path: String) throws(SystemError) -> (file: CInt, lock: CInt) {
        for _ in 0..<8 {
            let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw SystemError("create \(path)") }
            let lock = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            var info = stat()
            if lock >= 0, taffrail_lock_range(lock, CInt(TAFFRAIL_F_OFD_SETLK), 1, 0, 0) == 0,
                fstat(file, &info) == 0, info.st_nlink == 1, taffrail_close_in_child(lock) == 0
            {
                return (file, lock)
            }
            if lock >= 0 { close(lock) }
            close(file)
            unlink(path)
        }
        throw SystemError("lock \(path)", code: EAGAIN)
    }

    /// Frees the range.
    static func release(_ file: borrowing FileDescriptor, start: Int64, length: Int64) {
        _ = taffrail_lock_range(file.number, CInt(TAFFRAIL_F_OFD_SETLK), 0, start, length)
    }
}
