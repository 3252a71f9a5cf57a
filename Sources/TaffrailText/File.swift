internal import Glibc
package import Taffrail

/// An open file; closed when it goes out of scope.
package struct File: ~Copyable {
    package let descriptor: Int32
    /// The path it was opened by, for messages.
    package let path: String

    private init(_ path: String, flags: Int32, mode: mode_t, doing: String) throws(SystemError) {
        let result = FileNames.open(path, flags: flags, mode: mode)
        guard result >= 0 else { throw SystemError("\(doing) \(path)", code: -result) }
        descriptor = result
        self.path = path
    }

    /// Opens a file, a pipe or a device for reading; `-` is the standard input.
    package init(reading path: String) throws(SystemError) {
        try self.init(path == "-" ? "/dev/stdin" : path, flags: O_RDONLY, mode: 0, doing: "open")
    }

    /// Opens an existing file for reading and writing; follows no symbolic link.
    package init(updating path: String) throws(SystemError) {
        try self.init(path, flags: O_RDWR | O_NOFOLLOW, mode: 0, doing: "open")
    }

    /// Makes a file that did not exist; anything of that name, even a dangling link, is an error (`EEXIST`).
    package init(creating path: String, mode: UInt32 = 0o600) throws(SystemError) {
        try self.init(path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode_t(mode), doing: "create")
    }

    /// Opens a directory, to make its entries durable.
    package init(directory path: String) throws(SystemError) {
        try self.init(path, flags: O_RDONLY | O_DIRECTORY, mode: 0, doing: "open")
    }

    /// Takes over a descriptor.
    package init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// The length in bytes; 0 for what has none.
    package var size: Int {
        get throws(SystemError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw SystemError("stat \(path)") }
            return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
        }
    }

    /// Whether it is a regular file, which can be read at any place.
    package var isRegular: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// How many names the file has; 0 when it has been deleted.
    package var links: Int {
        if let files = FileNames.virtual(path) { return files.exists(path) ? 1 : 0 }
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_nlink) : 0
    }

    /// Takes the file for this program alone, until it is closed; the system lets go of it when the program dies.
    ///
    /// - Returns: `false` when another opening has it.
    package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Lets go of the file, also where a child of this program that has not yet become another has it open.
    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Reads at a place; fewer bytes than asked for only at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
            if count == 0 { break }
            if count > 0 { done += count } else if errno != EINTR { throw SystemError("read \(path)") }
        }
        return done
    }

    /// Reads what comes next, from a pipe or a device too.
    package func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = Self.systemRead(descriptor, buffer)
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError("read \(path)") }
        }
    }

    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    }

    /// Writes all bytes at a place.
    ///
    /// - Returns: How many were written; fewer than asked for only with an error.
    package func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> (count: Int, failure: SystemError?) {
        if let code = FileNames.virtual(path)?.writeFailure(path), code != 0 {
            return (0, SystemError("write \(path)", code: code))
        }
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                return (done, SystemError("write \(path)", code: count == 0 ? EIO : errno))
            }
        }
        return (done, nil)
    }

    /// Cuts or extends to a length.
    package func truncate(to length: Int) throws(SystemError) {
        while ftruncate(descriptor, off_t(length)) != 0 {
            if errno != EINTR { throw SystemError("truncate \(path)") }
        }
    }

    /// Makes the contents survive power loss.
    package func sync() throws(SystemError) {
        while fsync(descriptor) != 0 { if errno != EINTR { throw SystemError("sync \(path)") } }
    }
}

extension File {
    /// Writes all bytes behind what was written before, to a pipe or a device too.
    package func writeNext(_ bytes: UnsafeRawBufferPointer) -> SystemError? {
        var done = 0
        while done < bytes.count {
            let rest = bytes.count - done
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, rest)
            if count > 0 {
                done += count
            } else if errno != EINTR {
                return SystemError("write \(path)")
            }
        }
        return nil
    }
}
