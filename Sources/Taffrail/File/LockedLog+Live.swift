extension LockedLog {
    /// Returns the status of the live path; of the open file if a program that dropped its privileges may not access
    /// the path.
    mutating func liveStatus() throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try FileStatus.of(log.live)
        } catch {
            guard let live, isDenied(error) else { throw error }
            return try live.file.status()
        }
    }

    /// Returns whether a path may no longer be accessed, so that the open file is kept. Reported once.
    mutating func isDenied(_ error: SystemError) -> Bool {
        guard error.code == Errno.accessDenied || error.code == Errno.notPermitted else { return false }
        if !hasReportedUnreachable {
            hasReportedUnreachable = true
            notice(
                "\(error); still writing to the open log, which cannot be rotated: give \(log.path) to the user of the"
                    + " program (chown -R)")
        }
        return true
    }

    mutating func open() throws(SystemError) {
        var isNew = false
        let file = try LiveFile.open(log, mode: options.mode, isNew: &isNew)
        if isNew { unsynchronized.directory = true }
        let status = try file.status()
        guard status.isRegular else { throw SystemError("\(log.live) is not a regular file", code: Errno.invalid) }
        let identity = file.identity(status)
        size = status.size
        let now = clock()
        let noted = isNew ? now : state?.started(identity)
        let started = noted ?? min(now, identity.birth > 0 ? identity.birth : status.modified)
        let opened = LiveFile(file, identity, started: started)
        if isNew || noted == nil && size == 0 { try state?.startCounts() }
        if noted == nil && size > 0 { try state?.forgetCounts() }
        if try opened.endTornLine(size: size) {
            size += 1
            try state?.forgetCounts()
        }
        live = opened
        do throws(SystemError) {
            try setStarted(started)
        } catch {
            live = nil
            throw error
        }
        updateLink()
    }
}
