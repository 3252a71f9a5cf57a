internal import CTaffrail

/// Distinguishes a file from all others, even one that later gets the same inode number.
///
/// The device number counts only if the birth time is unknown: an overlay or a btrfs subvolume that is mounted again
/// has a different one.
package struct FileIdentity: Equatable, BitwiseCopyable {
    package var device: UInt64 = 0
    package var inode: UInt64 = 0
    /// Birth time in nanoseconds since 1970; 0 if the file system does not record it.
    var birth: Int64 = 0

    package static func == (one: FileIdentity, other: FileIdentity) -> Bool {
        one.inode == other.inode && one.birth == other.birth && (one.birth != 0 || one.device == other.device)
    }
}

extension FileDescriptor {
    /// Returns the open file's identity, given its status.
    package func identity(_ status: FileStatus) -> FileIdentity {
        FileIdentity(device: status.device, inode: status.inode, birth: taffrail_birth_time(number))
    }
}
