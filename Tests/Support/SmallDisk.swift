internal import Glibc
internal import Taffrail

/// A small file system in memory, for as long as a test runs. Only root can have one.
package final class SmallDisk: Sendable {
    package let directory = TemporaryDirectory()

    package init(_ size: String) throws {
        guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(size)") == 0 else { throw SystemError("mount") }
    }

    deinit { umount2(directory.path, CInt(MNT_DETACH)) }

    package func fill() throws { try directory.fill() }

    /// Gives it more room.
    package func grow(_ size: String) throws { try remount(0, "size=\(size)") }

    /// Takes the permission to write, or gives it back.
    ///
    /// A child that another test has just forked holds copies of the files that are open for writing until it executes
    /// its program, and that long the file system is busy: this waits up to two minutes for it.
    package func setReadOnly(_ isReadOnly: Bool) throws { try remount(isReadOnly ? MS_RDONLY : 0, nil) }

    private func remount(_ flags: Int, _ options: String?) throws {
        // What the child executes then closes its copies; nothing signals that.
        let end = ContinuousClock.now + .seconds(120)
        repeat {
            if mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT | flags), options) == 0 { return }
            guard errno == EBUSY else { break }
            poll(nil, 0, 10)
        } while ContinuousClock.now < end
        throw SystemError("remount")
    }

    /// Makes room again.
    package func free() throws { try directory.removeFiller() }

    /// Whether this machine lets us mount one.
    package static let isPossible = (try? SmallDisk("64k")) != nil
}
