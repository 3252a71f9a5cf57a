#if Configuration
internal import Taffrail

/// Distinguishes the states of a file.
struct FileState: Equatable {
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let modified: Int64

    /// The current state of the file at a path; `nil` if it does not exist.
    init?(_ path: String) {
        guard let status = try? FileStatus.following(path) else { return nil }
        device = status.device
        inode = status.inode
        size = status.size
        modified = status.modified
    }
}
#endif
