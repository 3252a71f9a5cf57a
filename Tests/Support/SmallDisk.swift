internal import Glibc
internal import Taffrail

/// A small file system in memory, for as long as a test runs. Only root can have one.
package final class SmallDisk: Sendable {
    package let directory = TemporaryDirectory()

    package init(_ size: String) throws {
        guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(size)") == 0 else { throw SystemError("mount") }
    }

    deinit { umount2(directory.path, CInt(MNT_DETACH)) }

    package func fill() throws {
        let file = try FileDescriptor(directory.file("filler"), [.write, .create, .append])
        for size in [1 << 16, 4096, 1] {
            let zeros = [UInt8](repeating: 0, count: size)
            while zeros.withUnsafeBytes({ file.write(all: $0).code }) == 0 {}
        }
    }

    /// Gives it more room.
    package func grow(_ size: String) throws {
        guard mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT), "size=\(size)") == 0 else {
            throw SystemError("remount")
        }
    }

    /// Makes room again.
    package func free() { unlink(directory.file("filler")) }

    /// Whether this machine lets us mount one.
    package static let isPossible = (try? SmallDisk("64k")) != nil
}
