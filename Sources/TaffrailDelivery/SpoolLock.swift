internal import Taffrail

/// The lock of a spool's directory: one process at a time. A forked child does not have it.
final class SpoolLock: Sendable {
    private let file: FileDescriptor

    init(_ directory: String) throws(SystemError) {
        file = try FileDescriptor(directory + "/lock", [.readWrite, .create, .ownFile], closedInChildren: true)
        file.handOver(toOwnerOf: directory)
        guard file.lock() else { throw SystemError("lock \(directory)", code: Errno.busy) }
    }

    /// Releases the lock, even if a program that is being started still shares it.
    func release() { file.unlock() }
}
