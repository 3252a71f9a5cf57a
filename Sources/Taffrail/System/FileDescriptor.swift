internal import CTaffrail
package import Glibc

/// An open file, closed when it goes out of scope.
package struct FileDescriptor: ~Copyable {
    package let number: CInt
    /// The process in whose children the descriptor is closed by `fork`; 0 when they inherit it.
    private let closedInChildrenOf: pid_t

    /// Takes over an open descriptor.
    init(_ number: CInt, closedInChildren: Bool = false) {
        self.number = number
        closedInChildrenOf = closedInChildren && taffrail_close_in_child(number) == 0 ? getpid() : 0
    }

    /// Whether this is a forked child, in which the descriptor has been closed.
    var wasClosedByFork: Bool { closedInChildrenOf != 0 && closedInChildrenOf != getpid() }

    deinit {
        if closedInChildrenOf == 0 {
            close(number)
        } else if closedInChildrenOf == getpid() {
            taffrail_close_listed(number)
        }
        // Otherwise this is a forked child, where the number has been closed and may be another file by now.
    }

    /// Opens a file, with O_CLOEXEC. An interrupted call is repeated.
    ///
    /// - Parameter closedInChildren: Whether `fork` closes it in the child, so that a lock dies with its owner.
    package static func open(
        _ path: String, _ flags: CInt, mode: mode_t = 0, closedInChildren: Bool = false
    ) throws(SystemError) -> FileDescriptor {
        while true {
            let number = Glibc.open(path, flags | O_CLOEXEC, mode)
            if number >= 0 { return FileDescriptor(number, closedInChildren: closedInChildren) }
            if errno != EINTR { throw SystemError("open \(path)") }
        }
    }

    /// What the system knows about the file.
    package func status() throws(SystemError) -> FileStatus {
        var info = stat()
        guard fstat(number, &info) == 0 else { throw SystemError("stat") }
        return FileStatus(info)
    }

    /// Writes all bytes, through short and interrupted writes.
    ///
    /// - Returns: How many were written, and the error number that stopped it, or 0.
    func write(all bytes: UnsafeRawBufferPointer) -> (written: Int, code: CInt) {
        guard let base = bytes.baseAddress else { return (0, 0) }
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(number, base + written, bytes.count - written)
            if count > 0 {
                written += count
            } else if count == 0 {
                return (written, EIO)
            } else if errno != EINTR {
                return (written, errno)
            }
        }
        return (written, 0)
    }

    /// Writes all bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        guard let base = bytes.baseAddress else { return }
        var written = 0
        while written < bytes.count {
            let count = pwrite(number, base + written, bytes.count - written, off_t(offset) + off_t(written))
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw SystemError("write", code: count == 0 ? EIO : errno)
            }
        }
    }

    /// Writes all bytes at an offset.
    func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try write(bytes, at: offset) }
        }
        try result.get()
    }

    /// Gives a file that root has made to the owner of a directory in which no one else may write, so that the owner's
    /// programs can go on with it.
    func handOver(toOwnerOf directory: String) {
        guard geteuid() == 0, let owner = Directory.soleOwner(of: directory), let status = try? status(),
            status.owner == 0, status.links == 1
        else { return }
        _ = fchown(number, owner.user, owner.group)
    }

    /// Reads at most `count` bytes at an offset; fewer only at the file's end.
    package func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 1)
        defer { bytes.deallocate() }
        guard let base = bytes.baseAddress else { return [] }
        var done = 0
        while done < count {
            let now = pread(number, base + done, count - done, off_t(offset) + off_t(done))
            if now == 0 { break }
            if now > 0 {
                done += now
            } else if errno != EINTR {
                throw SystemError("read")
            }
        }
        return [UInt8](UnsafeRawBufferPointer(start: base, count: done))
    }

    /// Cuts or lengthens the file.
    func truncate(to size: Int64) throws(SystemError) {
        while ftruncate(number, off_t(size)) != 0 {
            if errno != EINTR { throw SystemError("truncate") }
        }
    }

    /// Makes the file's contents survive power loss. What has nothing to be synchronised counts as done.
    func synchronize() throws(SystemError) {
        while fdatasync(number) != 0 {
            if errno == EINVAL || errno == ENOTSUP { return }
            if errno != EINTR { throw SystemError("fdatasync") }
        }
    }
}
