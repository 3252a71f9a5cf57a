internal import CTaffrail
internal import Glibc

/// Exclusive locks on byte ranges, held by an open file (OFD locks): between processes and between two opens of
/// one process alike. The last descriptor that is closed releases them, so SIGKILL does as well.
enum FileLock {
    /// Waits until the range is free and locks it.
    static func acquire(
        _ file: borrowing FileDescriptor, start: Int64, length: Int64
    ) throws(SystemError) {
        let code = taffrail_lock_range(file.number, CInt(TAFFRAIL_F_OFD_SETLKW), 1, start, length)
        guard code == 0 else { throw SystemError("lock", code: code) }
    }

    /// Locks the range if it is free.
    ///
    /// - Returns: `false` when another one holds it.
    static func tryAcquire(
        _ file: borrowing FileDescriptor, start: Int64, length: Int64
    ) throws(SystemError) -> Bool {
        let code = taffrail_lock_range(file.number, CInt(TAFFRAIL_F_OFD_SETLK), 1, start, length)
        if code == EAGAIN || code == EACCES { return false }
        guard code == 0 else { throw SystemError("lock", code: code) }
        return true
    }

    /// Frees the range.
    static func release(_ file: borrowing FileDescriptor, start: Int64, length: Int64) {
        _ = taffrail_lock_range(file.number, CInt(TAFFRAIL_F_OFD_SETLK), 0, start, length)
    }
}
