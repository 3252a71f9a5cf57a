/// An open live file.
final class LiveFile {
    let file: FileDescriptor
    let identity: FileIdentity
    /// The creation time, by the clock of its creator, in nanoseconds since 1970.
    var started: Int64
    /// The number of its stretches that this sink has recorded in the index.
    var stretches = 0
    /// The offset from which this sink records no more stretches; `nil` while it does.
    var unindexedStart: Int64?

    init(_ file: consuming FileDescriptor, _ identity: FileIdentity, started: Int64) {
        self.file = file
        self.identity = identity
        self.started = started
    }

    /// Opens the file at a log's live path, or creates it.
    ///
    /// - Parameters:
    ///   - mode: The exact permissions of a new file; `nil`: 0640 with the umask applied.
    ///   - isNew: Set to whether it has been created.
    static func open(_ log: LogPath, mode: UInt16?, isNew: inout Bool) throws(SystemError) -> FileDescriptor {
        let flags: OpenFlags = [.readWrite, .append, .ownFile, .noTerminal]
        for _ in 0..<16 {
            do throws(SystemError) {
                isNew = false
                return try FileDescriptor(log.live, flags, closedInChildren: true)
            } catch {
                if error.code != Errno.missing { throw error }
            }
            do throws(SystemError) {
                isNew = true
                let made = try FileDescriptor(
                    log.live, flags.union([.create, .exclusive]), mode: UInt32(mode ?? 0o640), closedInChildren: true)
                if let mode { made.setMode(UInt32(mode)) }
                made.handOver(toOwnerOf: log.path)
                return made
            } catch {
                if error.code != Errno.taken { throw error }
            }
        }
        throw SystemError("\(log.live) keeps being replaced", code: Errno.busy)
    }

    /// Returns whether a path's status is that of this file.
    func `is`(_ status: FileStatus) -> Bool { status.inode == identity.inode && status.device == identity.device }

    /// Truncates the file to a size that it exceeds; never extends it.
    func cut(to size: Int64) throws(SystemError) { if try file.status().size > size { try file.truncate(to: size) } }

    /// Truncates a torn last line after the last newline, but not below `start`.
    func cutTornLine(from start: Int64) throws(SystemError) {
        let size = try file.status().size
        var end = size
        while end > start {
            let length = min(4096, end - start)
            end -= length
            let bytes = try file.read(Int(length), at: end)
            if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) {
                let whole = end + Int64(newline) + 1
                if whole < size { try file.truncate(to: whole) }
                return
            }
        }
        if size > start { try file.truncate(to: start) }
    }

    /// Terminates an unterminated last line, so that the next record starts a new line. Returns whether it did.
    func endTornLine(size: Int64) throws(SystemError) -> Bool {
        let newline = [UInt8(ascii: "\n")]
        guard size > 0, try file.read(1, at: size - 1) != newline else { return false }
        try file.write(newline)
        return true
    }
}
