internal import CTaffrail

/// A log's live file under the log's lock: opening, resolving intents of dead processes, appending, rotating.
///
/// ``begin()`` takes the lock and establishes a consistent state; ``end()`` releases it. Other calls are made between.
struct LockedLog {
    private(set) var log: LogPath
    let options: FileOptions
    let clock: @Sendable () -> Int64
    let notice: @Sendable (String) -> Void

    var state: LogState?
    /// Whether the directory cannot contain the state file, so that the live file itself is locked.
    private(set) var isStateless = false
    /// Whether the file system does not support locks.
    private(set) var isLockless = false
    var live: LiveFile?
    var size: Int64 = 0
    /// The end of the live file's period; the largest number without periods.
    private(set) var periodEnd = Int64.max
    let schedule: RotationSchedule?
    var intents: IntentResolver
    var unsynchronized = Unsynchronized()
    /// The earliest time (monotonic) of the next attempt after a failed rotation.
    var rotationBarredUntil = Int64.min
    var retention: Retention
    private(set) var compressor: Compressor?
    var index: IndexWriter
    private var hasReportedUnreachable = false
    private var hasReportedBoot = false
    var hasReportedLostWrites = false
    /// Whether the first ``begin()`` rotates.
    var rotatesAtStart = false

    init(
        _ log: LogPath, _ options: FileOptions, zone: ZoneOffset, clock: @escaping @Sendable () -> Int64,
        readCheckpoint: @escaping RingCheckpoint.Reader, notice: @escaping @Sendable (String) -> Void
    ) {
        self.log = log
        self.options = options
        self.clock = clock
        intents = IntentResolver(readCheckpoint)
        retention = Retention(options: options.rotate)
        self.notice = notice
        schedule = options.rotate.every.map { RotationSchedule(every: $0, zone: zone) }
        index = IndexWriter(notice: notice)
    }

    // MARK: Lock

    /// Whether a parent process has opened it.
    private var isOfParent: Bool { state?.isOfParent ?? live?.file.wasClosedByFork ?? false }

    /// Takes the lock, resolves the intent of a dead holder, and opens the file at the live path, if that is another one.
    mutating func begin() throws(SystemError) {
        if isOfParent { close() }
        for _ in 0..<16 {
            if state == nil && !isStateless { try openState() }
            if try acquire() {
                do throws(SystemError) {
                    try resolve()
                    try follow()
                    let now = clock()
                    if rotatesAtStart {
                        rotatesAtStart = false
                        _ = try rotateOrReport(at: now)
                    }
                    if retention.isDue(at: now) { applyRetention(at: now) }
                } catch {
                    end()
                    throw error
                }
                return
            }
        }
        throw SystemError("\(log.lock) keeps being replaced", code: Errno.busy)
    }

    mutating func end() {
        if let state {
            state.unlock()
        } else if let live, !isLockless {
            FileLock.release(live.file, start: 0, length: 0)
        }
    }

    /// Completes or rolls back the intent that an earlier holder of the lock did not clear (decision 0002).
    mutating func resolve() throws(SystemError) {
        guard let state, WriteIntent.isPresent(in: state.slot) else { return try cutRest() }
        if let intent = WriteIntent(in: state.slot) {
            let isOfThisBoot = intent.boot == .current && intent.boot != .unknown
            switch intent.kind {
            case .block where isOfThisBoot:
                var own: LiveFile?
                if let live, live.identity == intent.file, let status = try liveStatus(), live.is(status) { own = live }
                if try intents.resolve(block: intent, of: log, in: own) {
                    if own == nil { unsynchronized.add(intent.file) } else { unsynchronized.live = true }
                }
            case .block: intents.remember(intent, of: log)
            case .rotation: if isOfThisBoot { try intents.resolve(rotation: intent, of: log) }
            }
        }
        // It is unknown whether the counts include the block.
        try state.forgetCounts()
        try state.clearIntent()
        intents.uncut = nil
    }

    /// Without a state file, truncates a block whose write failed, if no one has written to the file since. With one,
    /// another process has resolved the intent.
    private mutating func cutRest() throws(SystemError) {
        guard let (intent, end) = intents.uncut else { return }
        if state == nil, let live, live.identity == intent.file, try live.file.status().size == end {
            try live.cut(to: intent.start)
        }
        intents.uncut = nil
    }

    /// Closes everything; the next ``begin()`` reopens it.
    mutating func close() {
        if isOfParent {
            // The parent indexes and synchronizes its own lines.
            index.forget()
            unsynchronized = Unsynchronized()
            live = nil
        }
        replaceLive()
        state = nil
        isStateless = false
        isLockless = false
        retention = Retention(options: options.rotate)
        compressor = nil
    }

    private mutating func openState() throws(SystemError) {
        log = try log.followingLink()
        try log.create()
        if options.rotate.compress != nil && compressor == nil { compressor = Compressor(log, notice: notice) }
        do throws(SystemError) {
            state = try LogState(of: log)
        } catch {
            switch error.code {
            case Errno.accessDenied, Errno.notPermitted, Errno.unsupported, Errno.noLocks, Errno.noDevice,
                Errno.invalid, Errno.noSuchCall, Errno.linkLoop, Errno.notDirectory, Errno.isDirectory:
                isStateless = true
                notice(
                    "\(log.live): no state directory (\(error)); locking the log itself, so records being written when a"
                        + " process is killed may be duplicated")
            default: throw error
            }
        }
        if state != nil && BootID.current == .unknown && !hasReportedBoot {
            hasReportedBoot = true
            notice(
                "\(log.live): /proc/sys/kernel/random/boot_id cannot be read; a line being written when the"
                    + " process is killed may be torn, or be written twice")
        }
    }

    /// Takes the lock of the state file, or of the live file. Returns `false` when that has been replaced meanwhile.
    mutating func acquire() throws(SystemError) -> Bool {
        if let state {
            try state.lock()
            do throws(SystemError) {
                if try state.isCurrent() { return true }
            } catch {
                if keepsOpenFile(after: error) && state.isOwn { return true }
                state.unlock()
                throw error
            }
            state.unlock()
            self.state = nil
            return false
        }
        if live == nil { try open() }
        guard let live else { return false }
        if !isLockless {
            do throws(SystemError) { try FileLock.acquire(live.file, start: 0, length: 0) } catch {
                guard [Errno.noLocks, Errno.unsupported, Errno.invalid, Errno.noSuchCall].contains(error.code) else {
                    throw error
                }
                isLockless = true
                notice("\(log.live): \(error); only one program may write to it")
            }
        }
        if let status = try liveStatus(), live.is(status) { return true }
        end()
        replaceLive()
        return false
    }

    // MARK: Live file

    /// Returns whether the live file's period has ended.
    func isDue(at now: Int64) -> Bool {
        guard let schedule, let live else { return false }
        return schedule.isDue(started: live.started, end: periodEnd, now: now)
    }

    /// Reopens the live file if another program renamed or deleted it, and reads its size.
    private mutating func follow() throws(SystemError) {
        let status = try liveStatus()
        if let live, let status, live.is(status) {
            size = status.size
            return
        }
        // The rotating process may end before the file is compressed.
        if live != nil && compressor != nil { retention.restart() }
        replaceLive()
        try open()
    }

    /// Returns the status of the live path; of the open file if a program that dropped its privileges may not access
    /// the path.
    private mutating func liveStatus() throws(SystemError) -> FileStatus? {
        do throws(SystemError) {
            return try FileStatus.of(log.live)
        } catch {
            guard let live, keepsOpenFile(after: error) else { throw error }
            return try live.file.status()
        }
    }

    /// Returns whether a path may no longer be accessed, so that the open file is kept. Reported once.
    private mutating func keepsOpenFile(after error: SystemError) -> Bool {
        guard error.code == Errno.accessDenied || error.code == Errno.notPermitted else { return false }
        if !hasReportedUnreachable {
            hasReportedUnreachable = true
            notice(
                "\(error); still writing to the open log, which cannot be rotated: give \(log.path) to the user of the"
                    + " program (chown -R)")
        }
        return true
    }

    mutating func setStarted(_ started: Int64) throws(SystemError) {
        live?.started = started
        periodEnd = schedule?.end(of: started) ?? .max
        if let live { try state?.setStarted(live.identity, started) }
    }

    // MARK: Appending

    /// Writes a block of complete lines, and stores its end in the ring as the sink's position.
    ///
    /// After a failure the file contains nothing of the block, or the lock's next holder removes what it contains.
    /// - Returns: The failure, and how many bytes fitted: 0 if nothing may be appended before that.
    mutating func append(
        _ block: UnsafeRawBufferPointer, _ origin: WriteIntent.Origin, end: UInt64, _ extent: LineBlock.Extent
    ) -> (failure: SystemError, room: Int)? {
        guard let live else { return (SystemError("write \(log.live)", code: Errno.badDescriptor), 0) }
        if intents.uncut != nil {
            return (SystemError("\(log.live) ends with a part of a block", code: Errno.inputOutput), 0)
        }
        let start = size
        index.begin(extent, in: live, at: start, state)
        let checkpoint = origin.checkpoint
        let intent = WriteIntent(
            kind: .block, file: live.identity, start: start, end: checkpoint == nil ? 0 : end,
            run: checkpoint?.run ?? .none, sinkSlot: checkpoint?.slot ?? 0, text: origin.ring)
        if let state {
            do throws(SystemError) { try state.store(intent) } catch { return (error, 0) }
            taffrail_point(CInt(TAFFRAIL_POINT_NOTED))
        }
        unsynchronized.live = true
        let (written, code) = live.file.write(all: block)
        taffrail_point(CInt(TAFFRAIL_POINT_WRITTEN))
        var failure = code == 0 ? nil : SystemError("write \(log.live)", code: code)
        if failure == nil, let checkpoint, !checkpoint.store(end) {
            failure = SystemError(
                "cannot store the position in \(checkpoint.ringPath ?? "the queue")", code: Errno.inputOutput)
        }
        guard let failure else {
            taffrail_point(CInt(TAFFRAIL_POINT_CHECKPOINTED))
            size += Int64(block.count)
            index.count(block, extent, end: size)
            state?.count(extent)
            // The next holder reads the position and resolves a remaining intent.
            try? state?.clearIntent()
            taffrail_point(CInt(TAFFRAIL_POINT_CLEARED))
            return nil
        }
        do throws(SystemError) {
            if written > 0 { try live.cut(to: start) }
            try state?.clearIntent()
        } catch {
            // The intent remains, and the next holder truncates. Until then nothing may follow the block.
            intents.uncut = (intent, start + Int64(written))
            return (failure, 0)
        }
        return (failure, code == 0 ? 0 : written)
    }
}
