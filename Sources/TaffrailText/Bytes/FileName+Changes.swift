internal import Glibc
package import Taffrail

extension FileName {
    /// Sets the time of a file's last change, in nanoseconds since 1970. A symbolic link is not followed.
    package static func setModified(_ path: String, to nanoseconds: Int64) throws(SystemError) {
        let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        guard utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW) == 0 else {
            throw SystemError("set the time of \(path)")
        }
    }

    /// Creates a hard link, unless the name exists.
    package static func link(_ path: String, to other: String) throws(SystemError) {
        guard Glibc.link(path, other) == 0 else { throw SystemError("link \(other)") }
    }
}
