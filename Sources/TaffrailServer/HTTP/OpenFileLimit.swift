internal import Glibc

/// The limit of this process for open files and sockets.
enum OpenFileLimit {
    /// Raises the limit if it is less than a number, as far as the system allows.
    ///
    /// - Returns: The new limit.
    @discardableResult
    static func raise(to wanted: Int) -> Int {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return wanted }
        guard limit.rlim_cur < UInt(max(0, wanted)) else { return Int(clamping: limit.rlim_cur) }
        let old = limit.rlim_cur
        limit.rlim_cur = min(UInt(max(0, wanted)), limit.rlim_max)
        return Int(clamping: setrlimit(kind, &limit) == 0 ? limit.rlim_cur : old)
    }
}
