internal import CTaffrail

/// Distinguishes a file from all others, even one that later gets the same inode number.
package struct FileIdentity: Equatable, BitwiseCopyable {
    package var device: UInt64 = 0
    package var inode: UInt64 = 0
    /// Birth time in nanoseconds since 1970; 0 if the file system does not record it.
    var birth: Int64 = 0
}

extension FileDescriptor {
    /// Returns the open file's identity, given its status.
    package func identity(_ status: FileStatus) -> FileIdentity {
        FileIdentity(device: status.device, inode: status.inode, birth: taffrail_birth_time(number))
    }
}
