internal import CTaffrail

extension LockedLog {
    /// The delay before a failed rotation is retried.
    private static let barredFor: Int64 = 10_000_000_000

    /// Rotates the live file as ``rotate(at:)`` does. A failure is reported, and rotation is retried later.
    ///
    /// - Returns: `false` when the file could not be renamed: it keeps growing.
    mutating func rotateOrReport(at now: Int64) throws(SystemError) -> Bool {
        guard size == 0 || SystemClock.monotonicNanoseconds() >= rotationBarredUntil else { return false }
        guard let failure = try rotate(at: now) else { return true }
        rotationBarredUntil = SystemClock.monotonicNanoseconds() + Self.barredFor
        notice("cannot rotate: \(failure)")
        return false
    }

    /// Renames the live file to its rotated name, starts a new one and applies retention.
    ///
    /// - Parameter now: The time of the rotation, in nanoseconds since 1970.
    /// - Returns: The reason why the file could not be renamed. An error thrown after the file was renamed leaves no
    ///   live file.
    mutating func rotate(at now: Int64) throws(SystemError) -> SystemError? {
        guard let live, size > 0 else {
            try setStarted(now)
            return nil
        }
        var files: [RotatedFile] = []
        do throws(SystemError) {
            files = try log.rotatedFiles()
            let name = try rename(live, at: now, after: files.last?.name)
            files.append(RotatedFile(name: name, size: size))
            index.noteRotation(of: live, as: name, size: size, state)
        } catch {
            return error
        }
        taffrail_point(CInt(TAFFRAIL_POINT_RENAMED))
        replaceLive()
        defer { try? state?.clearIntent() }
        try state == nil && !isLockless ? openLocked() : open()
        taffrail_point(CInt(TAFFRAIL_POINT_ROTATED))
        delete(&files, now: now)
        index.tidyAfterRotation(state)
        return nil
    }

    /// Opens the file at the live path, and locks it if there is no state file: while waiting for the lock, others may
    /// have written to it, and rotated it.
    private mutating func openLocked() throws(SystemError) {
        for _ in 0..<16 where try acquire() {
            guard let live else { return }
            size = try live.file.status().size
            return
        }
        throw SystemError("\(log.live) keeps being replaced", code: Errno.busy)
    }

    /// Applies retention, and returns whether anything was deleted.
    @discardableResult
    mutating func applyRetention(at now: Int64) -> Bool {
        retention.noteCheck(at: now)
        var files: [RotatedFile]
        do throws(SystemError) {
            if !retention.isTidy {
                retention.isTidy = true
                try Compressor.tidy(log)
                index.tidy(state)
            }
            files = try log.rotatedFiles()
        } catch {
            notice("cannot delete old logs: \(error)")
            return false
        }
        let count = files.count
        delete(&files, now: now)
        return files.count < count
    }

    /// Closes the live file, which has or gets another name.
    mutating func replaceLive() {
        index.end(state)
        unsynchronized.remove(compressedBy: compressor)
        if let live {
            if unsynchronized.live { unsynchronized.add(live.identity) }
            unsynchronized.directory = true
        }
        unsynchronized.live = false
        live = nil
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

    /// Points `app.current` to the live file, if requested.
    private func updateLink() {
        guard options.currentLink else { return }
        let path = log.file(log.stem + ".current")
        do throws(SystemError) {
            let status = try FileStatus.of(path)
            if let status, !status.isSymbolicLink {
                throw SystemError("\(path) is not a symbolic link", code: Errno.taken)
            }
            if status != nil, FileName.target(ofLink: path) == log.base { return }
            let temporary = path + ".tmp"
            try FileName.removeIfPresent(temporary)
            try FileName.symlink(log.base, at: temporary)
            try FileName.rename(temporary, to: path)
        } catch {
            notice("cannot link to the live file: \(error)")
        }
    }

    /// Truncates the live file: the only case in which records are discarded, at a user's request.
    mutating func empty() throws(SystemError) {
        if size > 0 {
            index.end(state)
            RemovalNote(log: log, reason: .cleared).write([nil])
        }
        try live?.cut(to: 0)
        taffrail_point(CInt(TAFFRAIL_POINT_EMPTIED))
        size = 0
        try state?.startCounts()
        try setStarted(clock())
    }

    /// Makes everything written so far survive power loss.
    mutating func synchronize() throws(SystemError) {
        unsynchronized.remove(compressedBy: compressor)
        guard !unsynchronized.isEmpty else { return }
        do throws(SystemError) {
            try unsynchronized.synchronize(log, live, compressor)
        } catch {
            if unsynchronized.hasLostWrites && !hasReportedLostWrites {
                hasReportedLostWrites = true
                let end = unsynchronized.hasLostAny ? "the program is started again" : "that file is replaced"
                notice("\(error); flush fails until \(end)")
            }
            throw error
        }
    }

    /// Renames the live file after storing an intent, which remains until a new one exists.
    private func rename(_ live: LiveFile, at now: Int64, after last: RotatedName?) throws(SystemError) -> RotatedName {
        var name = RotatedName.next(at: CivilTime.floorDivide(now, by: 1_000_000), after: last)
        for _ in 0..<1000 {
            let text = name.text(in: log)
            if let state {
                try state.store(WriteIntent(kind: .rotation, file: live.identity, text: Array(text.utf8)))
                taffrail_point(CInt(TAFFRAIL_POINT_ROTATION_NOTED))
            }
            let code = FileName.renameExclusively(log.live, to: log.file(text))
            if code == 0 { return name }
            try? state?.clearIntent()
            guard code == Errno.taken else { throw SystemError("rename \(log.live) to \(text)", code: code) }
            name = .next(at: name.milliseconds, after: name)
        }
        throw SystemError("rename \(log.live)", code: Errno.taken)
    }

    /// Applies retention to all rotated files, oldest first, and compresses those that are kept.
    private mutating func delete(_ files: inout [RotatedFile], now: Int64) {
        if let failure = retention.apply(to: &files, in: log, live: size, now: now) {
            notice("cannot delete old logs: \(failure)")
        }
        compressor?.add(files)
    }
}
