internal import Glibc

/// Directories: making, listing, synchronising.
package enum Directory {
    /// Makes a directory and those above it, where they are missing.
    static func create(_ path: String, mode: mode_t) throws(SystemError) {
        if mkdir(path, mode) == 0 { return }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let above = parent(of: path), above != path else { throw SystemError("mkdir \(path)") }
            try create(above, mode: mode)
            if mkdir(path, mode) != 0 && errno != EEXIST { throw SystemError("mkdir \(path)") }
        default: throw SystemError("mkdir \(path)")
        }
    }

    /// A user other than root whose directory it is, where no one else may write.
    static func soleOwner(of path: String) -> (user: uid_t, group: gid_t)? {
        guard let status = try? FileStatus.of(path), status.isDirectory, status.owner != 0, !status.isWritableByOthers
        else { return nil }
        return (status.owner, status.group)
    }

    /// The path without its last part; `nil` for one that has none.
    package static func parent(of path: String) -> String? {
        var bytes = path.utf8[...]
        while bytes.count > 1 && bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        bytes = bytes[..<slash]
        while bytes.count > 1 && bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return bytes.isEmpty ? "/" : String(bytes)
    }

    /// What lies in a directory: a name and its inode.
    package struct Entry {
        package let name: String
        let inode: UInt64
        /// Whether it is a regular file; `nil` where the file system does not tell that along with the name.
        package let isRegular: Bool?
    }

    /// What lies in a directory, in no order; without `.` and `..`.
    package static func entries(of path: String) throws(SystemError) -> [Entry] {
        guard let stream = opendir(path) else { throw SystemError("list \(path)") }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError("list \(path)") }
                return entries
            }
            let place = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let name = String(cString: place.assumingMemoryBound(to: CChar.self))
            if name != "." && name != ".." {
                let type = CInt(entry.pointee.d_type)
                entries.append(
                    Entry(
                        name: name, inode: UInt64(entry.pointee.d_ino),
                        isRegular: type == CInt(DT_UNKNOWN) ? nil : type == CInt(DT_REG)))
            }
        }
    }

    /// Makes the directory's entries survive power loss.
    static func synchronize(_ path: String) throws(SystemError) {
        let directory = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY)
        if fsync(directory.number) != 0 && errno != EINVAL && errno != ENOTSUP {
            throw SystemError("fsync \(path)")
        }
    }

    /// Whether there is a directory of that name.
    package static func exists(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}
