internal import Foundation
internal import Glibc

/// A small file system in memory, for as long as a test runs. Only root can have one.
package final class SmallDisk: Sendable {
    package let folder: Folder

    package init(_ size: String) throws {
        folder = try Folder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(size)") == 0 else { throw POSIXError(.EPERM) }
    }

    deinit { umount2(folder.path, Int32(MNT_DETACH)) }

    package func fill() throws {
        let file = open(folder.file("filler"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        for size in [1 << 16, 4_096, 1] {
            let zeros = [UInt8](repeating: 0, count: size)
            while write(file, zeros, size) == size {}
        }
    }

    package func free() { unlink(folder.file("filler")) }

    /// Whether this machine lets us mount one.
    package static let isPossible = (try? SmallDisk("64k")) != nil
}
