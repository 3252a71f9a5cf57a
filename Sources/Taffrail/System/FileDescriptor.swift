internal import CTaffrail
internal import Glibc

/// An open file, closed when it goes out of scope.
package struct FileDescriptor: ~Copyable {
    package let number: CInt
    /// The path it was opened by, for messages.
    package let path: String
    /// The process in whose forked children the descriptor is closed; 0: they inherit it.
    private var closedInChildrenOf: pid_t = 0

    /// Takes ownership of an open descriptor.
    package init(_ number: CInt, path: String, closedInChildren: Bool = false) {
        self.number = number
        self.path = path
        if closedInChildren { closeInChildren() }
    }

    /// Opens a file, with O_CLOEXEC. Retries interrupted calls.
    ///
    /// - Parameter closedInChildren: Whether to call ``closeInChildren()``.
    package init(
        _ path: String, _ flags: OpenFlags, mode: UInt32 = 0o600, closedInChildren: Bool = false
    ) throws(SystemError) {
        var number: CInt
        repeat { number = open(path, flags.rawValue | O_CLOEXEC, mode) } while number < 0 && errno == EINTR
        guard number >= 0 else { throw SystemError("\(flags.contains(.exclusive) ? "create" : "open") \(path)") }
        self.init(number, path: path, closedInChildren: closedInChildren)
    }

    /// Opens an existing file for reading and writing; follows no symbolic link.
    package init(updating path: String) throws(SystemError) { try self.init(path, [.readWrite, .noFollow]) }

    /// Creates a file; an existing name, even a dangling link, is an error (``SystemError/isTaken``).
    package init(creating path: String, mode: UInt32 = 0o600) throws(SystemError) {
        try self.init(path, [.readWrite, .create, .exclusive, .noFollow], mode: mode)
    }

    /// Creates a file without a name in memory.
    package init(inMemory name: String) throws(SystemError) {
        let number = taffrail_memory_file()
        guard number >= 0 else { throw SystemError("create \(name)") }
        self.init(number, path: name)
    }

    /// Lets `fork` close it in the child from now on, so that a lock ends with its owner.
    ///
    /// Every descriptor kept between two calls of a sink needs this: a child may have closed all descriptors and opened
    /// files of its own under their numbers before its first record makes it drop those of the sink.
    package mutating func closeInChildren() {
        guard closedInChildrenOf == 0 else { return }
        // Without memory for the list, children inherit it.
        if taffrail_close_in_child(number) == 0 { closedInChildrenOf = getpid() }
    }

    deinit {
        // In a forked child that has closed it, the number may refer to another file.
        guard !wasClosedByFork else { return }
        if closedInChildrenOf != 0 { taffrail_close_listed(number) } else { close(number) }
    }

    /// Whether this is a forked child, in which the descriptor has been closed.
    package var wasClosedByFork: Bool { closedInChildrenOf != 0 && closedInChildrenOf != getpid() }

    // MARK: Status

    /// Returns the status of the file.
    package func status() throws(SystemError) -> FileStatus {
        guard let status = FileStatus.of(number) else { throw SystemError("stat \(path)") }
        return status
    }

    /// The length in bytes; 0 for files without one.
    package var size: Int {
        get throws(SystemError) {
            let status = try status()
            return status.isRegular ? Int(status.size) : 0
        }
    }

    /// Whether bytes stored in a mapping of the file are in its page cache, and a full disk cannot turn the store into
    /// SIGBUS: false on btrfs, NFS, FUSE and file systems that are not known.
    package var keepsMappedBytes: Bool { taffrail_keeps_mapped_bytes(number) != 0 }

    /// Locks the file for this program until it is closed; the system releases the lock when the program dies.
    ///
    /// - Returns: `false` when another process, or another descriptor, has the lock.
    package func lock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

    /// Unlocks the file, even if a forked child that has not called `exec` yet has it open. In a child that inherited it this
    /// does nothing: the lock is the parent's.
    package func unlock() { if !wasClosedByFork { _ = flock(number, LOCK_UN) } }

    // MARK: Reading

    /// Reads at an offset; fewer bytes than requested only at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        var done = 0
        while done < buffer.count {
            let count = pread(number, base + done, buffer.count - done, off_t(offset) + off_t(done))
            if count == 0 { break }
            if count > 0 { done += count } else if errno != EINTR { throw SystemError("read \(path)") }
        }
        return done
    }

    /// Reads at most `count` bytes at an offset; fewer only at the file's end.
    package func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 1)
        defer { bytes.deallocate() }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[..<max(0, count)])
        return [UInt8](bytes[..<(try read(into: wanted, at: offset))])
    }

    // MARK: Writing

    /// Writes all bytes; see ``write(all:to:at:patience:)``.
    package func write(all bytes: UnsafeRawBufferPointer, at offset: Int64? = nil) -> (written: Int, code: CInt) {
        Self.write(all: bytes, to: number, at: offset)
    }

    /// Writes all bytes to an open file, through short and interrupted writes: at an offset, or at the current position.
    ///
    /// - Parameter patience: The longest time of each wait for a file that does not block: other programs may have made
    ///   a shared terminal or pipe so. `nil`: no limit. Zero, the default: it does not wait.
    /// - Returns: The number of bytes written, and the error number that stopped it, or 0.
    @inline(never)
    package static func write(
        all bytes: UnsafeRawBufferPointer, to number: CInt, at offset: Int64? = nil, patience: Duration? = .zero
    ) -> (written: Int, code: CInt) {
        guard let base = bytes.baseAddress else { return (0, 0) }
        var written = 0
        while written < bytes.count {
            let (rest, left) = (base + written, bytes.count - written)
            let count =
                offset.map { pwrite(number, rest, left, off_t($0) + off_t(written)) }
                ?? Glibc.write(number, rest, left)
            if count > 0 {
                written += count
                continue
            }
            let code = count == 0 ? EIO : errno
            if code == EINTR { continue }
            var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            guard code == EAGAIN, patience != .zero, poll(&request, 1, patience?.pollTimeout ?? -1) != 0 else {
                return (written, code)
            }
        }
        return (written, 0)
    }

    /// Writes all bytes at an offset.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        let code = write(all: bytes, at: offset).code
        guard code == 0 else { throw SystemError("write \(path)", code: code) }
    }

    /// Writes all bytes, at the current position or at an offset.
    package func write(_ bytes: [UInt8], at offset: Int64? = nil) throws(SystemError) {
        let code = bytes.withUnsafeBytes { write(all: $0, at: offset).code }
        guard code == 0 else { throw SystemError("write \(path)", code: code) }
    }

    /// Stores a word in a file at an offset, by its descriptor's number.
    static func store(_ word: UInt64, in number: CInt, at offset: Int) -> Bool {
        var word = word
        return pwrite(number, &word, 8, off_t(offset)) == 8
    }

    /// Allocates disk space for the file.
    func allocate(_ size: Int) throws(SystemError) {
        let code = posix_fallocate(number, 0, off_t(size))
        guard code == 0 else { throw SystemError("allocate \(path)", code: code) }
    }

    /// Truncates or extends the file.
    package func truncate(to size: Int64) throws(SystemError) {
        while ftruncate(number, off_t(size)) != 0 {
            if errno != EINTR { throw SystemError("truncate \(path)") }
        }
    }

    /// Makes the file's contents survive power loss. Files that cannot be synchronized are ignored.
    ///
    /// - Parameter withAttributes: Whether to include owner, mode and times or, for a directory, its entries.
    package func synchronize(withAttributes: Bool = false) throws(SystemError) {
        while (withAttributes ? fsync(number) : fdatasync(number)) != 0 {
            if errno == EINVAL || errno == ENOTSUP { return }
            if errno != EINTR { throw SystemError("\(withAttributes ? "fsync" : "fdatasync") \(path)") }
        }
    }

    /// Sets the permissions.
    func setMode(_ mode: UInt32) { fchmod(number, mode) }

    /// Copies another file's permissions, owner and modification time, as far as permitted.
    func copyAttributes(of other: FileStatus) {
        fchmod(number, other.mode & 0o777)
        _ = fchown(number, other.owner, other.group)
        let time = timespec(tv_sec: Int(other.modified / 1_000_000_000), tv_nsec: Int(other.modified % 1_000_000_000))
        futimens(number, [time, time])
    }

    /// Gives a file created by root to the owner of a directory in which no one else may write, so that the owner's
    /// programs can use it.
    package func handOver(toOwnerOf directory: String) {
        guard geteuid() == 0, let owner = Directory.soleOwner(of: directory), let status = try? status(),
            status.owner == 0, status.links == 1
        else { return }
        _ = fchown(number, owner.user, owner.group)
    }
}
