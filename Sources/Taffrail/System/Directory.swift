internal import CTaffrail
internal import Glibc

/// Creates, lists and synchronizes directories.
package enum Directory {
    /// Creates a directory and its parents if missing. One that root creates in the directory of another user, in which no
    /// one else may write, belongs to that user.
    package static func create(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
        var code = make(path, mode)
        if code == ENOENT, let above = parent(of: path), above != path {
            try create(above, mode: mode)
            code = make(path, mode)
        }
        guard code == 0 || code == EEXIST else { throw SystemError("create \(path)", code: code) }
    }

    /// Creates a directory whose parent exists.
    ///
    /// - Parameter isOwnerBound: Whether root creates none where the owner of the directory above may not.
    /// - Returns: 0, or the error number.
    private static func make(_ path: String, _ mode: UInt32, isOwnerBound: Bool = false) -> CInt {
        if geteuid() == 0, let above = parent(of: path), let owner = soleOwner(of: above) {
            let code = taffrail_mkdir_as(path, mode, owner.user, owner.group)
            // Where the owner may not create it, root may.
            if isOwnerBound || code != EACCES && code != EPERM { return code }
        }
        return mkdir(path, mode) == 0 ? 0 : errno
    }

    /// The working directory; `nil` if it has been removed.
    static var current: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Creates a directory if missing, but not its parents, readable by its owner only: for root that of the directory
    /// above, if no one else may write to that.
    static func createPrivate(_ path: String) throws(SystemError) {
        let code = make(path, 0o700, isOwnerBound: true)
        if code != 0 && code != EEXIST { throw SystemError("create \(path)", code: code) }
    }

    /// Creates a directory if missing, and checks that files can be created in it.
    package static func prepare(_ path: String) throws(SystemError) {
        try create(path)
        _ = try FileDescriptor(path, [.read, .directory])
        guard access(path, W_OK | X_OK) == 0 else { throw SystemError("write to \(path)") }
    }

    /// Returns the owner of a directory, if it is not root and no one else may write to the directory.
    static func soleOwner(of path: String) -> (user: uid_t, group: gid_t)? {
        guard let status = try? FileStatus.of(path), status.isDirectory, status.owner != 0, !status.isWritableByOthers
        else { return nil }
        return (status.owner, status.group)
    }

    /// Returns the path of a name in a directory.
    package static func path(_ name: String, in directory: String) -> String {
        directory == "/" ? "/" + name : directory + "/" + name
    }

    /// Returns the path without its last component; `nil` if it has only one.
    package static func parent(of path: String) -> String? {
        let bytes = Array(path.utf8)
        let slash = UInt8(ascii: "/")
        var end = bytes.count
        while end > 1, bytes[end - 1] == slash { end -= 1 }
        while end > 0, bytes[end - 1] != slash { end -= 1 }
        guard end > 0 else { return nil }
        while end > 1, bytes[end - 1] == slash { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// An entry of a directory: a name and its inode.
    package struct Entry {
        package let name: String
        let inode: UInt64
        /// Whether it is a regular file; `nil` if the file system does not report the type with the name.
        package let isRegular: Bool?
    }

    /// Returns the entries of a directory, unordered; without `.` and `..`.
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
            let address = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let name = String(cString: address.assumingMemoryBound(to: CChar.self))
            if name != "." && name != ".." {
                let type = CInt(entry.pointee.d_type)
                entries.append(
                    Entry(
                        name: name, inode: UInt64(entry.pointee.d_ino),
                        isRegular: type == CInt(DT_UNKNOWN) ? nil : type == CInt(DT_REG)))
            }
        }
    }

    /// Returns the names in a directory; empty if it cannot be read.
    package static func names(in path: String) -> [String] { ((try? entries(of: path)) ?? []).map(\.name) }

    /// Returns the bytes that an ordinary user can still write to the file system of a path; `nil` if unknown.
    package static func freeSpace(at path: String) -> Int64? {
        var info = statvfs()
        guard statvfs(path, &info) == 0 else { return nil }
        let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// Makes the directory's entries survive power loss.
    package static func synchronize(_ path: String) throws(SystemError) {
        try FileDescriptor(path, [.read, .directory]).synchronize(withAttributes: true)
    }

    /// Returns whether a directory exists.
    package static func exists(_ path: String) -> Bool { (try? FileStatus.following(path))?.isDirectory == true }
}
