#if Configuration
internal import Taffrail

/// What tells one state of a file from another.
struct FileState: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64

    /// That of the file that a path leads to now; `nil` where there is none.
    init?(_ path: String) {
        guard let status = try? FileStatus.following(path) else { return nil }
        device = status.device
        inode = status.inode
        size = status.size
        modified = status.modified
    }
}
#endif
