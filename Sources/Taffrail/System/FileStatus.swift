internal import Glibc

/// The fields of `stat` that logs need.
package struct FileStatus {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    package let links: Int
    let owner: uid_t
    let group: gid_t
    let mode: mode_t
    /// Modification time, in nanoseconds since 1970.
    package let modified: Int64

    init(_ info: stat) {
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
        size = Int64(info.st_size)
        links = Int(info.st_nlink)
        owner = info.st_uid
        group = info.st_gid
        mode = info.st_mode
        modified = Int64(info.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(info.st_mtim.tv_nsec)
    }

    /// Returns the status of a path; symbolic links are not followed.
    ///
    /// - Returns: `nil` when the path does not exist.
    package static func of(_ path: String) throws(SystemError) -> FileStatus? {
        var info = stat()
        if lstat(path, &info) == 0 { return FileStatus(info) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw SystemError("stat \(path)")
    }

    /// Returns the status of the file that a path refers to; symbolic links are followed.
    package static func following(_ path: String) throws(SystemError) -> FileStatus {
        var info = stat()
        guard stat(path, &info) == 0 else { throw SystemError("stat \(path)") }
        return FileStatus(info)
    }

    /// Returns the status of an open file; `nil` if the descriptor is not open.
    package static func of(_ descriptor: CInt) -> FileStatus? {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? FileStatus(info) : nil
    }

    /// Distinguishes versions of the contents of a path, as far as the file system does.
    package struct Version: Equatable, Sendable {
        fileprivate let device: UInt64
        fileprivate let inode: UInt64
        fileprivate let size: Int64
        fileprivate let modified: Int64
    }

    package var version: Version { Version(device: device, inode: inode, size: size, modified: modified) }

    /// Returns the version of the file that a path refers to; `nil` if there is none.
    package static func version(of path: String) -> Version? { (try? following(path))?.version }

    package var isRegular: Bool { mode & S_IFMT == S_IFREG }
    package var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
    package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
    package var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
    /// Whether group or others may write it.
    var isWritableByOthers: Bool { mode & 0o022 != 0 }
}
