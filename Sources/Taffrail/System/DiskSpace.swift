internal import Glibc

/// Free space on a file system.
package enum DiskSpace {
    /// Returns the bytes that an ordinary user can still write to the file system of a path; `nil` if unknown.
    package static func available(at path: String) -> Int64? {
        var info = statvfs()
        guard statvfs(path, &info) == 0 else { return nil }
        let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
