internal import Glibc

/// Directories: making, listing, synchronising.
package enum Directory {
    /// Makes a directory and those above it, where they are missing.
    package static func create(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
        if mkdir(path, mode) == 0 { return }
        switch errno {
        case EEXIST: return
        case ENOENT:
            guard let above = parent(of: path), above != path else { throw SystemError("create \(path)") }
            try create(above, mode: mode)
            if mkdir(path, mode) != 0 && errno != EEXIST { throw SystemError("create \(path)") }
        default: throw SystemError("create \(path)")
        }
    }

    /// The working directory; `nil` where it has been removed.
    static var current: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Makes a directory where it is missing, readable by its owner only; not those above it.
    static func createOne(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) != 0 && errno != EEXIST { throw SystemError("create \(path)") }
    }

    /// Makes a directory where it is missing, and checks that files can be made in it.
    package static func prepare(_ path: String) throws(SystemError) {
        try create(path)
        _ = try FileDescriptor(path, [.read, .directory])
        guard access(path, W_OK | X_OK) == 0 else { throw SystemError("write to \(path)") }
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

    /// The names in a directory; none where it cannot be read.
    package static func names(in path: String) -> [String] { ((try? entries(of: path)) ?? []).map(\.name) }

    /// Makes the directory's entries survive power loss.
    package static func synchronize(_ path: String) throws(SystemError) {
        try FileDescriptor(path, [.read, .directory]).synchronize(withAttributes: true)
    }

    /// Whether there is a directory of that name.
    package static func exists(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}
