internal import CTaffrail

/// Compresses rotated files on a separate thread of the lowest priority, which exists only while there is work. No
/// writer waits for it.
///
/// `app-….log` is compressed into `app-….log.gz.tmp`, which is locked meanwhile; that file is synchronized and renamed
/// to `app-….log.gz`, and the source is deleted. The next run deletes an unlocked `.tmp`. If both a source and
/// `app-….log.gz` exist, the source is deleted only after the other is proven to be a ``CompressedFile`` of it: an
/// administrator's gzip may be running. A kill at any point leaves one complete file.
final class Compressor: Sendable {
    private struct State {
        var waiting: [RotatedName] = []
        var isRunning = false
        /// Inodes of sources that have been safely compressed and deleted.
        var done: [UInt64] = []
        var hasReportedMissing = false
        /// Sources next to a `.gz` that was not created from them: both stay unchanged.
        var foreign: Set<RotatedName> = []
    }

    private let log: LogPath
    private let notice: @Sendable (String) -> Void
    private let state = Locked(State())
    /// Stops a compression.
    private let stop = WakeUp()
    /// Changes whenever the thread ends.
    private let ended = WakeUp()

    private static let level: CInt = 6

    init(_ log: LogPath, notice: @escaping @Sendable (String) -> Void) {
        self.log = log
        self.notice = notice
    }

    /// Adds rotated files, except those already compressed or on the list.
    func add(_ files: [RotatedFile]) {
        guard taffrail_gzip_is_available() != 0 else {
            let isNew = state.withLock { state in
                defer { state.hasReportedMissing = true }
                return !state.hasReportedMissing
            }
            if isNew { notice("\(log.base): rotated files stay uncompressed, because libz.so.1 cannot be loaded") }
            return
        }
        let isNew = state.withLock { state in
            for name in files.map(\.name)
            where name.compression == .none && !state.waiting.contains(name) && !state.foreign.contains(name) {
                state.waiting.append(name)
            }
            guard !state.isRunning, !state.waiting.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        guard isNew else { return }
        if !DedicatedThread.start(named: "taffrail-gzip", takesSignals: false, { self.run() }) {
            notice("\(log.base): not compressed: cannot start a thread")
            state.withLock { $0.isRunning = false }
        }
    }

    /// Returns the sources compressed since the last call, by inode. They no longer need synchronizing.
    ///
    /// An inode is listed before its file is deleted. If called before a file is noted as unsynchronized, this never
    /// removes the note of a new file that has reused the inode of a deleted one.
    func takeDone() -> [UInt64] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }

    /// Waits for completion until a time on the monotonic clock, then stops. The next run compresses the rest.
    func finish(until deadline: Int64) {
        while true {
            let ends = ended.value
            guard state.withLock({ $0.isRunning }) else { return }
            let rest = deadline - SystemClock.monotonicNanoseconds()
            if rest <= 0 { break }
            ended.wait(while: ends, nanoseconds: rest)
        }
        stop.advance()
        state.withLock { $0.waiting = [] }
    }

    // MARK: The thread

    private func run() {
        taffrail_lower_priority()
        while let name = next() {
            do throws(SystemError) {
                try compress(name)
            } catch {
                if error.code != Errno.cancelled { notice("\(log.base): not compressed: \(error)") }
            }
        }
        ended.advance()
    }

    /// Returns the next file; `nil` at the end, which also ends the thread.
    private func next() -> RotatedName? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// Compresses a file, unless it has been deleted or another process is compressing it.
    private func compress(_ name: RotatedName) throws(SystemError) {
        let source = log.file(name.text(in: log))
        let result = log.file(name.compressed(.gzip).text(in: log))
        let temporary = result + ".tmp"
        guard let before = try FileStatus.of(source), before.isRegular else { return }
        if try FileStatus.of(result) != nil { return try finish(name, source, result, before) }
        let input = try FileDescriptor(source, [.read, .noFollow])
        guard let output = try Self.claim(temporary) else { return }
        do throws(SystemError) {
            var length: Int64 = 0
            let code = taffrail_gzip(input.number, output.number, Self.level, stop.address, &length)
            guard code == 0 else { throw SystemError("compress \(source)", code: code) }
            // Rotated files are not written to; if a foreign program does so, the file stays unchanged.
            let after = try input.status()
            guard after.size == length, after.links > 0 else {
                throw SystemError("compress \(source)", code: Errno.busy)
            }
            output.copyAttributes(of: before)
            try output.synchronize(withAttributes: true)
            taffrail_point(CInt(TAFFRAIL_POINT_COMPRESSED))
            try publish(temporary, as: result, insteadOf: source, before)
            try Directory.synchronize(log.path)
        } catch {
            try? FileName.remove(temporary)
            throw error
        }
        taffrail_point(CInt(TAFFRAIL_POINT_PUBLISHED))
        try remove(source, before)
        taffrail_point(CInt(TAFFRAIL_POINT_REPLACED))
    }

    /// Deletes a source whose compressed file survives power loss.
    private func remove(_ source: String, _ status: FileStatus) throws(SystemError) {
        state.withLock { $0.done.append(status.inode) }
        try FileName.removeIfPresent(source)
    }

    /// Deletes a source that a run had compressed before it died, unless the `.gz` is foreign.
    private func finish(
        _ name: RotatedName, _ source: String, _ result: String, _ before: FileStatus
    ) throws(SystemError) {
        guard try CompressedFile(result).hasAll(of: source, isCancelled: { stop.value != 0 }) else {
            state.withLock { _ = $0.foreign.insert(name) }
            notice("\(source) is kept: \(result) is not Taffrail's compressed copy of it")
            return
        }
        try Directory.synchronize(log.path)
        let lock = try? LogState(of: log)
        try lock?.lock()
        defer { lock?.unlock() }
        guard let there = try FileStatus.of(source), there.version == before.version else { return }
        try remove(source, before)
    }

    /// Renames a finished file, under the log's lock: retention may have deleted the source meanwhile, which is not
    /// reported.
    private func publish(
        _ temporary: String, as result: String, insteadOf source: String, _ before: FileStatus
    ) throws(SystemError) {
        let lock = try? LogState(of: log)
        try lock?.lock()
        defer { lock?.unlock() }
        guard let there = try FileStatus.of(source), there.inode == before.inode, there.device == before.device
        else { throw SystemError("compress \(source)", code: Errno.cancelled) }
        let code = FileName.renameExclusively(temporary, to: result)
        guard code == 0 else { throw SystemError("rename \(temporary)", code: code) }
    }

    // MARK: Claims

    /// Creates the file to compress into, and locks it. Returns `nil` when another process is compressing into it.
    private static func claim(_ path: String) throws(SystemError) -> FileDescriptor? {
        for _ in 0..<8 {
            do throws(SystemError) {
                let made = try FileDescriptor(path, [.write, .create, .exclusive, .noFollow], closedInChildren: true)
                if let directory = Directory.parent(of: path) { made.handOver(toOwnerOf: directory) }
                guard try FileLock.tryAcquire(made, start: 0, length: 0) else { return nil }
                // Between the two steps another process may have treated it as a leftover.
                if let status = try FileStatus.of(path), status.inode == (try made.status()).inode { return made }
            } catch {
                guard error.code == Errno.taken else { throw error }
                if try !discard(path) { return nil }
            }
        }
        return nil
    }

    /// Deletes a file left by a dead compressor. Returns `false` when its compressor is alive.
    private static func discard(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            let left = try FileDescriptor(path, [.write, .ownFile], closedInChildren: true)
            guard try FileLock.tryAcquire(left, start: 0, length: 0) else { return false }
            try? FileName.remove(path)
        } catch {
            guard error.code == Errno.missing else { throw error }
        }
        return true
    }

    /// Deletes the unfinished files of a log's dead compressors. Requires the log's lock.
    static func tidy(_ log: LogPath) throws(SystemError) {
        for entry in try Directory.entries(of: log.path) where entry.name.hasSuffix(".tmp") {
            let rotated = RotatedName(String(entry.name.dropLast(4)), of: log)
            if rotated?.compression == .gzip { _ = try discard(log.file(entry.name)) }
        }
    }
}
