/// Distinguishes versions of the contents of a path, as far as the file system does.
package struct FileVersion: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64

    init(_ status: FileStatus) {
        (device, inode, size, modified) = (status.device, status.inode, status.size, status.modified)
    }

    /// Returns the version of the file that a path refers to; `nil` if there is none.
    package static func of(_ path: String) -> FileVersion? { (try? FileStatus.following(path))?.version }
}
