/// Completes or rolls back what the holder of a log's lock was about to do when it died (decision 0002).
struct IntentResolver {
    private let readCheckpoint: RingCheckpoint.Reader
    /// The intent of a block that this sink could not truncate after its write failed, and the file's size with it.
    var uncut: (intent: WriteIntent, end: Int64)?

    init(_ readCheckpoint: @escaping RingCheckpoint.Reader) { self.readCheckpoint = readCheckpoint }

    /// Resolves the intent of a block.
    ///
    /// - Parameter live: The open live file, if it is the intent's and still has its path.
    /// - Returns: Whether the file of the block exists in the directory; it may have been changed.
    func settle(block intent: WriteIntent, of log: LogPath, in live: LiveFile?) throws(SystemError) -> Bool {
        var file = live
        if file == nil { file = try Self.file(of: intent, in: log) }
        guard let noted = file else { return false }
        if uncut?.intent == intent {
            try noted.cut(to: intent.start)
        } else if intent.text.isEmpty {
            try noted.cutTornLine(from: intent.start)
        } else if let position = try position(in: intent, of: log) {
            if position < intent.end { try noted.cut(to: intent.start) }
        } else {
            _ = try noted.endTornLine(size: noted.file.status().size)
        }
        return true
    }

    /// Returns the position in the ring of a block; `nil` without the ring.
    private func position(in intent: WriteIntent, of log: LogPath) throws(SystemError) -> UInt64? {
        do throws(SystemError) {
            return try readCheckpoint(intent.ringPath(of: log), intent.run, intent.sinkSlot)
        } catch {
            throw SystemError("\(log.live) may end with lines of a queue: \(error.operation)", code: error.code)
        }
    }

    /// Returns the file of an intent: at the live path, or where another program has renamed it to.
    private static func file(of intent: WriteIntent, in log: LogPath) throws(SystemError) -> LiveFile? {
        if let live = try file(of: intent, at: log.live) { return live }
        for entry in try Directory.entries(of: log.path)
        where entry.inode == intent.file.inode && entry.name != log.base {
            if let renamed = try file(of: intent, at: log.file(entry.name)) { return renamed }
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
    func settle(rotation intent: WriteIntent, of log: LogPath) throws(SystemError) {
        // If a link was used instead of a rename, both names may exist: then the rename has not happened yet.
        let target = log.file(String(decoding: intent.text, as: UTF8.self))
        guard let other = try FileStatus.of(target), let live = try Self.file(of: intent, at: log.live), live.is(other)
        else { return }
        try FileName.removeIfPresent(target)
    }
}
