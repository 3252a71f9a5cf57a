/// Completes or rolls back the operation that the holder of a log's lock had begun when it died (decision 0002).
struct IntentResolver {
    private let readCheckpoint: RingCheckpoint.Reader
    /// The intent of a block that this sink could not truncate after its write failed, and the file's size with it.
    var uncut: (intent: WriteIntent, end: Int64)?
    /// The last block that could be neither kept nor truncated with certainty.
    private var unresolved: UnresolvedBlock?

    init(_ readCheckpoint: @escaping RingCheckpoint.Reader) { self.readCheckpoint = readCheckpoint }

    /// Resolves the intent of a block.
    ///
    /// - Parameter live: The open live file, if it is the intent's and still has its path.
    /// - Returns: Whether the file of the block exists in the directory; it may have been changed.
    mutating func resolve(block intent: WriteIntent, of log: LogPath, in live: LiveFile?) throws(SystemError) -> Bool {
        var file = live
        if file == nil { file = try Self.file(of: intent, in: log) }
        guard let noted = file else {
            remember(intent, of: log)
            return false
        }
        if uncut?.intent == intent {
            try cut(noted, before: intent, of: log)
        } else if intent.text.isEmpty {
            try noted.cutTornLine(from: intent.start)
        } else if let position = try position(in: intent, of: log) {
            if position < intent.end { try cut(noted, before: intent, of: log) }
        } else {
            remember(intent, of: log)
            _ = try noted.endTornLine(size: noted.file.status().size)
        }
        return true
    }

    /// Truncates the file of a block to what was before it, unless another program has truncated it to less, or the
    /// system allows only appending to it.
    private mutating func cut(_ file: LiveFile, before intent: WriteIntent, of log: LogPath) throws(SystemError) {
        do throws(SystemError) {
            if try file.file.status().size >= intent.start { return try file.cut(to: intent.start) }
        } catch {
            guard error.code == Errno.notPermitted else { throw error }
            _ = try file.endTornLine(size: file.file.status().size)
        }
        remember(intent, of: log)
    }

    /// Remembers a block whose records may be written again although the file has their lines. Without a ring they
    /// are not.
    mutating func remember(_ intent: WriteIntent, of log: LogPath) {
        if !intent.text.isEmpty { unresolved = UnresolvedBlock(intent, of: log) }
    }

    /// Skips the first lines of a block, if the file of an intent that could not be resolved has them: stores the
    /// position after them, and returns their number.
    mutating func skipWritten(
        _ block: borrowing LineBlock, _ origin: WriteIntent.Origin, of log: LogPath, _ notice: (String) -> Void
    ) -> Int {
        guard var found = unresolved, let checkpoint = origin.checkpoint, checkpoint.run == found.intent.run,
            checkpoint.slot == found.intent.sinkSlot
        else { return 0 }
        let count = found.countLines(of: block, in: log)
        if let count, count > 0, !checkpoint.store(block.position(after: count - 1)) { return 0 }
        // The next block may have more of them.
        unresolved = count == block.lineCount ? found : nil
        guard let count else {
            notice(
                "the file that run \(found.intent.run) was writing when it was killed is no longer in \(log.path): "
                    + "what the run wrote last may be in \(log.live) again")
            return 0
        }
        return count
    }

    /// Returns the position in the ring of a block; `nil` without the ring.
    private func position(in intent: WriteIntent, of log: LogPath) throws(SystemError) -> UInt64? {
        do throws(SystemError) {
            return try readCheckpoint(intent.ringPath(of: log), intent.run, intent.sinkSlot)
        } catch {
            throw SystemError(
                "cannot tell whether the last lines of \(log.live) are complete: \(error.operation)", code: error.code)
        }
    }

    /// Returns the file of an intent: at the live path, or where another program has renamed it to.
    private static func file(of intent: WriteIntent, in log: LogPath) throws(SystemError) -> LiveFile? {
        if let live = try file(of: intent, at: log.live) { return live }
        for entry in try Directory.entries(of: log.path)
        where entry.inode == intent.file.inode && entry.name != log.base {
            do throws(SystemError) {
                if let renamed = try file(of: intent, at: log.file(entry.name)) { return renamed }
            } catch {
                // It no longer belongs to this log, and must not prevent writing to the log.
                if !error.isDenied { throw error }
            }
        }
        return nil
    }

    /// Returns the file at a path, if it is that of an intent.
    private static func file(of intent: WriteIntent, at path: String) throws(SystemError) -> LiveFile? {
        guard let status = try FileStatus.of(path), status.isRegular, status.inode == intent.file.inode else {
            return nil
        }
        let file = try FileDescriptor(path, [.readWrite, .append, .ownFile])
        let identity = file.identity(try file.status())
        guard identity == intent.file else { return nil }
        return LiveFile(file, identity, started: 0)
    }

    /// Resolves the intent of a rotation.
    func resolve(rotation intent: WriteIntent, of log: LogPath) throws(SystemError) {
        // If a link was used instead of a rename, both names may exist: then the rename has not happened yet.
        let target = log.file(String(decoding: intent.text, as: UTF8.self))
        guard let other = try FileStatus.of(target), let live = try Self.file(of: intent, at: log.live), live.is(other)
        else { return }
        try FileName.removeIfPresent(target)
    }
}
