internal import Taffrail

/// The lock of a spool's directory: one process at a time. A forked child does not have it.
final class SpoolLock: Sendable {
    private let file: FileDescriptor
    /// The directory itself: its file may be deleted.
    private let directory: FileDescriptor

    init(_ path: String) throws(SystemError) {
        directory = try FileDescriptor(path, [.read, .directory], closedInChildren: true)
        file = try FileDescriptor(path + "/lock", [.readWrite, .create, .ownFile], closedInChildren: true)
        file.handOver(toOwnerOf: path)
        guard directory.lock(), file.lock() else { throw SystemError("lock \(path)", code: Errno.busy) }
    }

    /// Releases the lock, even if a program that is being started still shares it.
    func release() {
        file.unlock()
        directory.unlock()
    }
}
