extension FileSink {
    /// The directory of rings and intents, created if missing.
    public var stateDirectory: String? {
        let log = directory.followed
        // A failure is reported by the first user of the directory.
        try? log.create()
        try? log.createState()
        return log.state
    }

    /// The file.
    public var logFile: LogFile? {
        LogFile(
            path: path, encoder: lineFormat?.name ?? options.format.rawValue,
            layout: LineLayout(
                time: options.time, precision: options.precision,
                pattern: options.format == .pattern ? options.pattern : nil), contents: contents, clear: clear)
    }

    func contents() -> String? {
        do throws(SystemError) {
            let live = try FileDescriptor(directory.live, [.read, .nonBlocking])
            let status = try live.status()
            guard status.isRegular else { return nil }
            return String(decoding: try live.read(Int(status.size), at: 0), as: UTF8.self)
        } catch {
            return nil
        }
    }

    func clear() throws(SinkError) { try withOwnLog { log throws(SystemError) in try log.empty() } }

    /// Calls ``open()``.
    public func openDestination() throws(SinkError) { try open() }

    /// Renames the live file to its rotated name and starts a new one, unless it is empty. From any thread; sinks that
    /// have the file open follow with their next record.
    ///
    /// - Throws: A temporary ``SinkError`` when it could not be renamed.
    public func rotate() throws(SinkError) {
        try withOwnLog { log throws(SystemError) in
            if let failure = try log.rotate(at: clock()) { throw failure }
        }
    }

    /// Uses separate locks and descriptors, because the sink's belong to the writer thread.
    private func withOwnLog(_ body: (inout LockedLog) throws(SystemError) -> Void) throws(SinkError) {
        var log = makeLog()
        do throws(SystemError) {
            try log.begin()
            defer { log.end() }
            try body(&log)
        } catch {
            throw .temporary("\(error)")
        }
    }
}
