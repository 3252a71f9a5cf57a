internal import CTaffrail
public import Taffrail
internal import TaffrailText

/// The status of a queue according to the header of its ring, read from the file while the program runs.
public struct QueueStatus: Sendable {
    /// One sink of a queue.
    public struct Sink: Sendable, Hashable {
        let slot: Int
        /// Its name.
        public var name: String
        /// Bytes of records not yet written.
        public var behind: Int
        /// The number of records it has written, not counting those that processors dropped.
        public var written: UInt64
        /// The number of records it has lost: refused permanently, or freed while it failed.
        public var lost: UInt64
        /// The number of records withheld by its own `level` and `only`.
        public var filtered: UInt64
    }

    /// The ring's file.
    public var path: String
    /// The run.
    public var run: RingID
    /// The process; valid only while the run is alive.
    public var processID: Int32
    /// Whether the program is running; a dead program's ring waits for recovery.
    public var isAlive: Bool
    /// The start of the run.
    public var startedAt: Timestamp
    /// The capacity for records, in bytes.
    public var capacity: Int
    /// Bytes of records that some sink has not written. In the program itself: at the writer's last check.
    public var depth: Int
    /// The number of records that entered the queue. In the program itself: the number that the writer has numbered.
    public var records: UInt64
    /// The number of records that did not enter the queue, by level; levels without any are absent.
    public var dropped: [Level: UInt64]
    /// The same by reason: `full`, `shed`, `degraded`, `closed`, `encodingFailed`. Reasons without records are absent.
    package var droppedByReason: [DropReason: [Level: UInt64]]
    /// The number of records that processors have dropped.
    public var filtered: UInt64
    /// Whether the program has processors, so that only the configuration determines which records may be shown.
    public var hasProcessors: Bool
    /// The log's base name; empty if there is no log file.
    public var destination: String
    /// The name of the sink that writes it; empty if unknown.
    public var logSink: String
    /// The sinks.
    public var sinks: [Sink]
    private let ringSinks: RingSinks

    /// Returns the sink that writes a log; `nil` if the run has no such sink or its header does not name one.
    func sink(of log: LogPath) -> Sink? {
        guard let slot = ringSinks.share(ofLog: log.live)?.slot else { return nil }
        return sinks.first { $0.slot == slot }
    }

    /// Reads the queues of a log directory, of running and dead programs, including queues elsewhere that are for one
    /// of its sinks. Changes and locks nothing.
    ///
    /// - Parameter directory: The directory of the logs, or its `.taffrail`.
    /// - Returns: One status for each readable ring, and one line for each other ring.
    /// - Throws: `SinkError` when there is no such directory.
    public static func read(directory: String) throws(SinkError) -> (queues: [QueueStatus], problems: [String]) {
        let state = stateDirectory(of: directory)
        guard Directory.exists(Directory.parent(of: state) ?? "/") else {
            throw .permanent("\(directory): no such directory")
        }
        var queues: [QueueStatus] = []
        var problems: [String] = []
        let found = RingPaths(in: state)
        problems = found.problems
        for path in found.paths {
            do throws(SystemError) {
                if let status = try read(file: path) { queues.append(status) }
            } catch {
                problems.append("\(error)")
            }
        }
        return (queues, problems)
    }

    /// Returns the `.taffrail` of a directory of logs, or the directory itself if it is one.
    package static func stateDirectory(of directory: String) -> String {
        // The root directory would become empty.
        let trimmed = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
        return trimmed.hasSuffix("/.taffrail") ? trimmed : trimmed + "/.taffrail"
    }

    /// Reads the status of a ring's file; `nil` for a deleted file.
    private static func read(file path: String) throws(SystemError) -> QueueStatus? {
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor(path, [.read, .ownFile]) } catch {
            if error.code == Errno.missing { return nil }
            throw error
        }
        let status = try file.status()
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: RingHeader.length, alignment: 16)
        defer { bytes.deallocate() }
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        guard let base = bytes.baseAddress, status.isRegular, file.readOnce(into: bytes, at: 0) == bytes.count else {
            throw SystemError("\(path) is not a ring", code: Errno.invalid)
        }
        let header = RingHeader(base: base)
        if let problem = header.problem(fileLength: Int(status.size)) {
            throw SystemError("\(path) is not a ring that this program supports: \(problem)", code: Errno.invalid)
        }
        var queue = QueueStatus(path: path, header: header, isAlive: taffrail_is_locked(file.number, 0, 0) == 1)
        if case .readable(let ring) = RingFile.inspect(path), ring.header.run == queue.run { queue.count(ring) }
        return queue
    }

    /// Also counts records that the writer has not numbered yet, as verification and recovery do: a sink that hangs may
    /// prevent the writer from numbering them.
    private mutating func count(_ ring: RingFile) {
        let tail = max(ring.header.head, ring.header.tail)
        var sequence = ring.header.nextSequence
        var end = tail
        // Commands that read the records report unreadable ones.
        while let stretch = try? ring.next(from: end, sequence: &sequence) { end = stretch.end }
        records = max(records, sequence &- 1)
        let more = Int(min(end &- tail, UInt64(capacity)))
        depth = min(depth + more, capacity)
        for index in sinks.indices {
            // A recovery that was interrupted, or waits for another sink, has written records without numbering them.
            let position = max(ring.header.head, ring.header.position(ofSlot: sinks[index].slot))
            sinks[index].behind = position < end ? Int(min(end &- position, UInt64(capacity))) : 0
        }
    }

    /// The status of a queue of this program. A queue in memory has an empty path.
    package init(_ queue: Pipeline.OpenQueue) {
        self.init(path: queue.path ?? "", header: queue.header, isAlive: true)
    }

    private init(path: String, header: RingHeader, isAlive: Bool) {
        self.path = path
        self.isAlive = isAlive
        run = header.run
        processID = header.processID
        startedAt = header.startedAt
        capacity = header.capacity
        // The two were not read at the same time.
        let tail = max(header.head, header.tail)
        depth = Int(min(tail &- header.head, UInt64(header.capacity)))
        records = header.nextSequence &- 1
        dropped = [:]
        for level in Level.allCases where header.dropped(level) > 0 { dropped[level] = header.dropped(level) }
        droppedByReason = [:]
        for reason in DropReason.ofCallers {
            for level in Level.allCases where header.dropped(level, for: reason) > 0 {
                droppedByReason[header.reason(reason, of: level), default: [:]][level] =
                    header.dropped(level, for: reason)
            }
        }
        filtered = header.filtered
        hasProcessors = header.hasProcessors
        destination = header.destination
        logSink = header.logSink
        ringSinks = RingSinks(header, ringIn: Directory.parent(of: path) ?? "/")
        sinks = (0..<RingHeader.sinkSlots).compactMap { slot in
            let name = header.name(ofSlot: slot)
            guard !name.isEmpty else { return nil }
            let position = header.position(ofSlot: slot)
            return Sink(
                slot: slot, name: name,
                behind: position < tail ? Int(min(tail &- position, UInt64(header.capacity))) : 0,
                written: header.written(inSlot: slot), lost: header.lost(inSlot: slot),
                filtered: header.filtered(inSlot: slot))
        }
    }
}
