internal import Glibc

/// Room on a file system.
enum DiskSpace {
    /// What an ordinary user may still write to the file system of a path, in bytes; `nil` when that is not known.
    static func available(at path: String) -> Int64? {
        var info = statvfs()
        guard statvfs(path, &info) == 0 else { return nil }
        let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
