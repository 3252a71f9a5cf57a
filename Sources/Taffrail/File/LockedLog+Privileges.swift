/// A program that has dropped its privileges may not look at its log's paths any more; what is open stays good.
extension LockedLog {
    /// The status of what lies at the live path; of the open file where a program that has dropped its privileges may
    /// not look there any more.
    mutating func liveStatus() throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try FileStatus.of(log.live)
        } catch {
            guard let live, isDenied(error) else { throw error }
            return try live.file.status()
        }
    }

    /// Whether a path may not be looked at any more, so that what is open is kept. Reported once.
    mutating func isDenied(_ error: SystemError) -> Bool {
        guard error.code == Errno.accessDenied || error.code == Errno.notPermitted else { return false }
        if !hasReportedUnreachable {
            hasReportedUnreachable = true
            notice(
                "\(error); the open log is written on, but cannot be rotated: give \(log.path) to the user of the"
                    + " program (chown -R)")
        }
        return true
    }
}
