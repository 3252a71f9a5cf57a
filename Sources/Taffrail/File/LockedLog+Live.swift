extension LockedLog {
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
