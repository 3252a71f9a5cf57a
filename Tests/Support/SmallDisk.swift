internal import Glibc
internal import Taffrail

/// A small file system in memory that exists during a test. Only root can create one.
package final class SmallDisk: Sendable {
    package let directory = TemporaryDirectory()

    package init(_ size: String) throws {
        guard mount("tmpfs", directory.path, "tmpfs", 0, "size=\(size)") == 0 else { throw SystemError("mount") }
    }

    deinit { umount2(directory.path, CInt(MNT_DETACH)) }

    package func fill() throws { try directory.fill() }

    /// Makes the file system larger.
    package func grow(_ size: String) throws { try remount(0, "size=\(size)") }

    /// Makes the file system read-only, or writable again.
    ///
    /// A child that another test has just forked holds copies of the files that are open for writing until it executes
    /// its program, and the file system is busy until then: this function waits for that for up to two minutes.
    package func setReadOnly(_ isReadOnly: Bool) throws { try remount(isReadOnly ? MS_RDONLY : 0, nil) }

    private func remount(_ flags: Int, _ options: String?) throws {
        // Executing its program closes the child's copies; no event reports that.
        let end = ContinuousClock.now + .seconds(120)
        repeat {
            if mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT | flags), options) == 0 { return }
            guard errno == EBUSY else { break }
            poll(nil, 0, 10)
        } while ContinuousClock.now < end
        throw SystemError("remount")
    }

    /// Frees space again.
    package func free() throws { try directory.removeFiller() }

    /// Whether this machine permits mounting one.
    package static let isPossible = (try? SmallDisk("64k")) != nil
}
