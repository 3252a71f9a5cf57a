#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailReading
internal import TaffrailText

/// The findings of `taffrail status` in one directory.
struct StatusReport {
    /// The state of a queue, the worst last.
    enum Health: String, Comparable, CaseIterable {
        /// No program runs, and none has left a queue.
        case idle
        /// Everything is written without delay.
        case running
        /// A running program has records that no sink has taken for ``StatusReport/patience``.
        case waiting
        /// A running program has dropped records, or a sink has lost some. JSON and metrics use version 0.1's word.
        case lossy = "degraded"
        /// A program has ended, and its queue has to be recovered.
        case dead

        static func < (one: Health, other: Health) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }

        /// The command's exit status; `nil` if all is well.
        var exitCode: ExitCode? {
            switch self {
            case .idle, .running: nil
            case .waiting: .temporaryFailure
            case .lossy: .inputOutput
            case .dead: .unavailable
            }
        }
    }

    /// One queue.
    struct Queue {
        let status: QueueStatus
        let health: Health
        /// The levels of a running program with a control socket.
        let levels: String?
        /// The sinks that lack records of a dead run and that no running program here has, by name: only a
        /// configuration with these sinks writes the records. Empty while no program runs here.
        let absentSinks: [String]
        /// The directory that it is in.
        var directory: String { Directory.parent(of: status.path) ?? "/" }
    }

    /// A running program whose queue is in memory: only its control socket shows it.
    struct MemoryQueue {
        let run: RingID
        let processID: Int64
        let levels: String?
    }

    let directory: String
    let queues: [Queue]
    let memoryQueues: [MemoryQueue]
    let plugins: [(instance: String, json: String)]
    let ledger: LedgerContents
    let problems: [String]

    /// The time for which a record may be queued before the queue counts as waiting.
    private static let patience = Duration.milliseconds(250)

    /// The directory's own state directory.
    var stateDirectory: String { QueueStatus.stateDirectory(of: directory) }

    /// The runs that have ended, each with the names of its logs.
    var endings: [(ending: Ledger.Ending, logs: [String])] {
        let byRun = Dictionary(grouping: ledger.endings, by: \.run)
        return ledger.endings.filter { byRun[$0.run]?.last == $0 }.map { ending in
            (ending, (byRun[ending.run] ?? []).map(\.destination).filter { !$0.isEmpty })
        }
    }

    /// The worst of the queues.
    var health: Health { queues.map(\.health).max() ?? (memoryQueues.isEmpty ? .idle : .running) }

    /// Reads a directory. Changes nothing.
    ///
    /// - Parameter path: A directory of logs, its `.taffrail`, or a log in one.
    /// - Throws: `SinkError` when there is no such directory or its ledger cannot be read.
    static func read(_ path: String) throws(SinkError) -> StatusReport {
        let directory = Self.directory(path)
        var found = try QueueStatus.read(directory: directory)
        // A record that has just been logged is not yet waiting.
        if found.queues.contains(where: { $0.isAlive && $0.depth > 0 }) {
            let before = found.queues
            SystemClock.sleep(for: patience)
            found = try QueueStatus.read(directory: directory)
            let waiting = Set(found.queues.filter { isWaiting($0, since: before) }.map(\.run))
            return try StatusReport(directory, found, waiting)
        }
        return try StatusReport(directory, found, [])
    }

    private init(
        _ directory: String, _ found: (queues: [QueueStatus], problems: [String]), _ waiting: Set<RingID>
    ) throws(SinkError) {
        self.directory = directory
        let running = found.queues.filter(\.isAlive)
        let present = Set(running.flatMap(\.sinks).map(\.name))
        queues = found.queues.map { queue in
            let health: Health =
                !queue.isAlive
                ? .dead
                : !queue.dropped.isEmpty || queue.sinks.contains { $0.lost > 0 }
                    ? .lossy : waiting.contains(queue.run) ? .waiting : .running
            let lacking = queue.isAlive || running.isEmpty ? [] : queue.sinks.filter { $0.behind > 0 }.map(\.name)
            return Queue(
                status: queue, health: health, levels: queue.isAlive ? Self.levels(of: queue) : nil,
                absentSinks: lacking.filter { !present.contains($0) })
        }
        var directories = [QueueStatus.stateDirectory(of: directory)]
        for queue in queues {
            let others = RingPointer.directories(ofRing: queue.status.path, queue.status.run)
            for other in [queue.directory] + others where !directories.contains(other) { directories.append(other) }
        }
        plugins = directories.flatMap(SinkBook.StatusFile.read(directory:))
        memoryQueues = Self.memoryQueues(
            ControlPath.sockets(in: directories[0]), except: found.queues.map(\.run))
        ledger = try Ledger.read(directory: directory)
        problems =
            found.problems
            + (ledger.unreadable > 0 ? ["the ledger has \(CountText.text(ledger.unreadable, "invalid line"))"] : [])
    }

    /// Finds the programs with a configuration whose sinks have no directory; `nil` if none is running. The report's
    /// directory is that of their sockets.
    init?(configuration file: String) {
        let sockets = ControlPath.socketsOfConfiguration(file)
        memoryQueues = Self.memoryQueues(sockets, except: [])
        guard !memoryQueues.isEmpty, let directory = sockets.first.flatMap({ Directory.parent(of: $0) }) else {
            return nil
        }
        self.directory = directory
        (queues, plugins, ledger, problems) = ([], [], LedgerContents([]), [])
    }

    /// Returns the directory of a log, or the path itself.
    private static func directory(_ path: String) -> String {
        guard !Directory.exists(path), FileName.exists(path) else { return path }
        return Directory.parent(of: path) ?? "."
    }

    /// Returns whether a sink that has records to write has written none since.
    private static func isWaiting(_ queue: QueueStatus, since before: [QueueStatus]) -> Bool {
        guard queue.isAlive, let earlier = before.first(where: { $0.run == queue.run }) else { return false }
        return queue.sinks.contains { sink in
            guard sink.behind > 0, let then = earlier.sinks.first(where: { $0.name == sink.name }) else { return false }
            return then.behind > 0 && then.written == sink.written && then.filtered == sink.filtered
        }
    }

    /// Returns the levels of a running program; `nil` if it has no control socket or does not answer within a second.
    private static func levels(of queue: QueueStatus) -> String? {
        ControlPath.path(of: queue.run, in: Directory.parent(of: queue.path) ?? "/")
            .flatMap { ControlPath.status(at: $0) }.flatMap(levels)
    }

    private static func levels(in answer: ControlCommand.Answer) -> String? {
        guard case .string(var text)? = answer["level"] else { return nil }
        if case .map(let names)? = answer["levels"] {
            for entry in names { if case .string(let level) = entry.value { text += ", \(entry.key)=\(level)" } }
        }
        return answer["until_reload"] == true ? text + ", until the configuration is reloaded" : text
    }

    /// Returns the running programs with a control socket and a queue in memory.
    private static func memoryQueues(_ sockets: [String], except known: [RingID]) -> [MemoryQueue] {
        sockets.compactMap { socket in
            guard let run = ControlPath.run(ofSocket: socket), !known.contains(run),
                let answer = ControlPath.status(at: socket), answer["queue"] == "memory",
                case .int(let process)? = answer["process"]
            else { return nil }
            return MemoryQueue(run: run, processID: process, levels: levels(in: answer))
        }
    }
}
#endif
