internal import CTaffrail

/// Data that has been written but would not survive power loss yet.
struct Unsynchronized {
    /// Whether the live file contains such data.
    var live = false
    /// Whether the directory has new names.
    var directory = false
    /// Files with such data that have been rotated or renamed since.
    private var files: [FileIdentity] = []
    /// Whether there are more of them than this list can hold: then the whole file system is synchronized.
    private var everything = false

    /// Files of which the system has failed to write data out. It reports that once, and a second attempt finds nothing
    /// to do: such data may not survive power loss until the file is deleted.
    private var lost: [FileIdentity] = []
    /// Whether it has failed to write out the directory, data of the whole file system, or a file that has been
    /// compressed since. This does not end.
    private(set) var hasLostAny = false

    private static let limit = 64

    /// Whether there is no such data.
    var isEmpty: Bool { !live && !directory && files.isEmpty && !everything && !hasLostWrites }

    /// Whether data may be lost by power loss regardless of what is done now.
    var hasLostWrites: Bool { !lost.isEmpty || hasLostAny }

    /// Adds a file that now has another name.
    mutating func add(_ file: FileIdentity) {
        if files.count < Self.limit { files.append(file) } else { everything = true }
    }

    /// Removes files that have been compressed and deleted since the last call, because their inode numbers may be
    /// reused. A copy of a failed file contains what the system read back from it, which may be its old contents.
    mutating func remove(compressedBy compressor: Compressor?) {
        guard let inodes = compressor?.takeDone() else { return }
        if lost.contains(where: { inodes.contains($0.inode) }) { hasLostAny = true }
        files.removeAll { inodes.contains($0.inode) }
    }

    /// Makes all of it survive power loss.
    mutating func synchronize(_ log: LogPath, _ open: LiveFile?, _ compressor: Compressor?) throws(SystemError) {
        if !lost.isEmpty { try forgetDeleted(log, open, compressor) }
        let knownLost = lost.count
        if !everything && !files.isEmpty {
            var missing = files
            for entry in try Directory.entries(of: log.path) {
                guard let known = missing.first(where: { $0.inode == entry.inode }) else { continue }
                do throws(SystemError) {
                    synchronize(try FileDescriptor(log.file(entry.name), [.read, .ownFile]), known)
                    missing.removeAll { $0.inode == entry.inode }
                } catch {
                    if error.code != Errno.missing && error.code != Errno.linkLoop { throw error }
                }
            }
            everything = !missing.isEmpty
        }
        if everything {
            // Some of them have left the directory and can only be reached through the file system.
            let directory = try FileDescriptor(log.path, [.read, .directory])
            let code = synchronizeFileSystem(directory)
            guard code == 0 else { throw SystemError("syncfs \(log.path)", code: code) }
        } else {
            if live, let open { synchronize(open.file, open.identity) }
            live = false
            files = []
            if directory { try synchronizeDirectory(log, open) }
        }
        let left = (lost, hasLostAny)
        self = Unsynchronized()
        (lost, hasLostAny) = left
        if hasLostWrites {
            let what = lost.count > knownLost ? "cannot be written to the disk" : "was not written to the disk"
            throw SystemError("\(log.live): a part \(what)", code: Errno.inputOutput)
        }
    }

    private mutating func synchronize(_ file: borrowing FileDescriptor, _ identity: FileIdentity) {
        do throws(SystemError) {
            try file.synchronize()
        } catch {
            if !lost.contains(identity) { lost.append(identity) }
        }
    }

    /// Synchronizes the file system of a file, and returns 0 or the error number.
    private mutating func synchronizeFileSystem(_ file: borrowing FileDescriptor) -> CInt {
        let code = taffrail_sync_filesystem(file.number)
        if code != 0 { hasLostAny = true }
        return code
    }

    /// Synchronizes the directory; the whole file system if a program that has dropped its privileges may not open it.
    private mutating func synchronizeDirectory(_ log: LogPath, _ open: LiveFile?) throws(SystemError) {
        do throws(SystemError) {
            let directory = try FileDescriptor(log.path, [.read, .directory])
            do throws(SystemError) { try directory.synchronize(withAttributes: true) } catch { hasLostAny = true }
        } catch {
            guard error.code == Errno.accessDenied, let open, synchronizeFileSystem(open.file) == 0 else {
                throw error
            }
        }
    }

    /// Removes failed files that have been deleted.
    private mutating func forgetDeleted(
        _ log: LogPath, _ open: LiveFile?, _ compressor: Compressor?
    ) throws(SystemError) {
        var there: [FileIdentity] = []
        if let open, (try? open.file.status().links) ?? 1 > 0 { there.append(open.identity) }
        for entry in try Directory.entries(of: log.path) where lost.contains(where: { $0.inode == entry.inode }) {
            do throws(SystemError) {
                let file = try FileDescriptor(log.file(entry.name), [.read, .ownFile])
                there.append(file.identity(try file.status()))
            } catch {
                if error.code != Errno.missing && error.code != Errno.linkLoop { throw error }
            }
        }
        // An inode is listed before its file is deleted.
        remove(compressedBy: compressor)
        lost.removeAll { !there.contains($0) }
    }
}
