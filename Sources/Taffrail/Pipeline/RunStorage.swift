/// The files that outlive the runs of a pipeline: their rings and ledgers, next to the first log.
struct RunStorage {
    let queue: QueueOptions
    let sinks: [any Sink]

    /// The sink that writes the log.
    private var logger: (any Sink)? { sinks.first { $0.logFile != nil } }

    /// The directory; `nil` if no sink has one.
    var directory: String? {
        queue.directory.map(LogPath.absolute) ?? logger?.stateDirectory
            ?? sinks.first { $0.stateDirectory != nil }?.stateDirectory
    }

    /// Creates a ring: in a file if possible, else in memory.
    func makeRing(start: UInt64) throws(SystemError) -> Ring {
        let capacity = queue.usedCapacity
        let names = SinkNames.unique(for: sinks)
        let log = logger?.logFile
        if queue.durable, let directory {
            do throws(SystemError) {
                if queue.directory == nil && log == nil { try Directory.create(directory, mode: 0o700) }
                return try Ring.inFile(
                    directory: directory, capacity: capacity, start: start, encoder: log?.encoder ?? "",
                    destination: log?.name ?? "", sinks: names)
            } catch {
                Diagnostics.report("the queue is in memory and does not survive SIGKILL: \(error)")
            }
        }
        return try Ring.inMemory(capacity: capacity, start: start, sinks: names)
    }

    /// Returns whether a ring is not in the directory of the log, because the log has moved.
    func isElsewhere(_ ring: Ring?) -> Bool {
        guard queue.durable, queue.directory == nil, let path = ring?.path else { return false }
        return logger?.stateDirectory.map { !path.hasPrefix($0 + "/") } ?? false
    }

    /// Returns the ledgers of the sinks' logs; that of the ring's directory if no sink has a file.
    func ledgers(beside ring: Ring?) -> [LedgerFile] {
        var directories = SinkNames.stateDirectories(of: sinks.filter { $0.logFile != nil })
        if directories.isEmpty, let path = ring?.path, let parent = Directory.parent(of: path) {
            directories = [parent]
        }
        return directories.map(LedgerFile.init(directory:))
    }

    /// Finds the rings that dead runs left for these sinks: next to each of them, not only in the directory of this
    /// run's ring.
    ///
    /// - Parameter keepsAbsent: Whether to keep rings that have records for absent sinks.
    func recovery(besides run: RingID, keepsAbsent: Bool, _ ledgers: [LedgerFile]) -> Recovery? {
        // Also if this ring is in memory: earlier runs may have been durable, and their rings may have filled the disk.
        guard let directory else { return nil }
        var scope = Recovery.Scope(directories: [directory])
        for other in SinkNames.stateDirectories(of: sinks) where other != directory { scope.directories.append(other) }
        scope.ownRun = run
        scope.isOursOnly = true
        scope.leavesProcessed = true
        scope.keepsAbsent = keepsAbsent
        scope.ledgers = ledgers
        return Recovery(scope)
    }
}
