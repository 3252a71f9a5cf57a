internal import CTaffrail
internal import Glibc

/// What has been written but would not survive power loss yet.
struct Unsynchronized {
    /// Whether the live file has something.
    var live = false
    /// Whether the directory has new names.
    var directory = false
    /// Files that were rotated or renamed since and have something.
    private var files: [FileIdentity] = []
    /// Whether there are more of them than are remembered: then the whole file system is written out.
    private var everything = false

    private static let limit = 64

    /// Whether there is nothing.
    var isEmpty: Bool { !live && !directory && files.isEmpty && !everything }

    /// Remembers a file that has another name by now.
    mutating func add(_ file: FileIdentity) {
        if files.count < Self.limit { files.append(file) } else { everything = true }
    }

    /// Forgets a file that somebody else has synchronised.
    mutating func remove(inode: UInt64) { files.removeAll { $0.inode == inode } }

    /// Makes all of it survive power loss.
    mutating func synchronize(_ log: LogDirectory, _ open: LiveFile?) throws(SystemError) {
        if !everything && !files.isEmpty {
            var missing = Set(files.map(\.inode))
            for entry in try Directory.entries(of: log.path) where missing.contains(entry.inode) {
                do throws(SystemError) {
                    try FileDescriptor.open(log.file(entry.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).synchronize()
                    missing.remove(entry.inode)
                } catch {
                    if error.code != ENOENT && error.code != ELOOP { throw error }
                }
            }
            everything = !missing.isEmpty
        }
        if everything {
            // Some of them have left the directory: they are reached only by way of the file system.
            let directory = try FileDescriptor.open(log.path, O_RDONLY | O_DIRECTORY)
            let code = taffrail_sync_filesystem(directory.number)
            guard code == 0 else { throw SystemError("syncfs \(log.path)", code: code) }
        } else {
            if live { try open?.file.synchronize() }
            if directory { try Directory.synchronize(log.path) }
        }
        self = Unsynchronized()
    }
}
