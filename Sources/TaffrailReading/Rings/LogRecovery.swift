public import Taffrail

/// Delivers the records that dead runs left in their rings, without the program that logged them.
///
/// A program does the same for its own log when it starts. A kill during recovery is harmless: the progress is stored,
/// and the next recovery continues there.
public enum LogRecovery {
    /// The result of a recovery.
    public struct Report: Sendable {
        /// The number of records written.
        public var records = 0
        /// The log files that the records were written to.
        public var files: [String] = []
        /// Rings that must not be changed or are invalid, with the reason; they are left unchanged.
        public var refused: [String] = []
        /// The paths of rings that were left unchanged because their programs have processors or a filter for the log.
        public var withheld: [String] = []
        /// The paths of rings that could not be drained completely. They can be retried.
        public var left: [String] = []
        /// The reasons why rings were kept.
        public var waiting: [Waiting] = []
        /// The error of a sink that failed, if any.
        public var failure: String?
    }

    /// Records waiting for a sink that was absent.
    public struct Waiting: Sendable, Hashable {
        /// The ring's path.
        public var ring: String
        /// The program's name for the sink.
        public var sink: String
        /// The number of records.
        public var records: UInt64
    }

    /// Drains all rings of dead runs next to the logs in a directory, and those that pointers there refer to. Skips
    /// rings of running programs.
    ///
    /// No file is rotated or deleted. A ring remains while it has records for a sink other than the log file.
    ///
    /// The rings of a program with processors, or with a filter for its log, contain records that these would remove.
    /// They are withheld unless processors are given or the caller requests the records unchanged. A ring does not show
    /// which processors its program had, so any are accepted.
    ///
    /// - Parameters:
    ///   - directory: The directory of the logs, its `.taffrail`, or a directory of queues.
    ///   - processors: The processors of the program's configuration; `nil` if unknown.
    ///   - isRaw: Whether to drain rings of programs with processors without applying any.
    ///   - dropped: Sinks whose records are dropped; the ledger records these drops.
    /// - Throws: `SinkError` when the directory cannot be read.
    public static func recover(
        directory: String, processors: sending [any Processor]? = nil, isRaw: Bool = false,
        dropping dropped: Set<String> = []
    ) throws(SinkError) -> Report {
        try recover(
            directory: directory, sinks: [], chain: ProcessorChain(processors ?? []),
            takesFiltered: processors != nil, isRaw: isRaw, dropped: dropped)
    }

    /// Drains all rings of dead runs in a directory to the sinks of their program's configuration.
    ///
    /// Rings of programs with processors are withheld if the configuration has none.
    ///
    /// - Parameter isRaw: Whether to drain them anyway.
    /// - Throws: `SinkError` when the directory cannot be read or a processor cannot be made.
    package static func recover(
        directory: String, setup: PipelineSetup, isRaw: Bool = false, dropping dropped: Set<String> = []
    ) throws(SinkError) -> Report {
        let chain: ProcessorChain
        do throws(PipelineChangeError) { chain = try setup.makeProcessors().chain } catch {
            throw .permanent(error.reason)
        }
        return try recover(
            directory: directory, sinks: setup.sinks, chain: chain, takesFiltered: true, isRaw: isRaw, dropped: dropped)
    }

    private static func recover(
        directory: String, sinks parts: [PlannedPlugin], chain: ProcessorChain, takesFiltered: Bool, isRaw: Bool,
        dropped: Set<String>
    ) throws(SinkError) -> Report {
        let state = stateDirectory(of: directory)
        guard let log = Directory.parent(of: state), Directory.exists(log) else {
            throw .permanent("\(directory): no such directory")
        }
        var run = DirectoryRecovery(
            log: log, chain: chain, takesFiltered: takesFiltered, isRaw: isRaw, dropped: dropped)
        run.report.refused += RingPaths(in: state).problems
        // With `queue.directory`, rings are directly in that directory.
        let paths = Recovery.paths(in: [state, log])
        if !paths.isEmpty { run.makeSinks(parts) }
        for path in paths { run.drain(path) }
        run.close()
        return run.report
    }

    /// Returns the directory of the rings, given that directory or the log directory.
    private static func stateDirectory(of directory: String) -> String {
        let state = QueueStatus.stateDirectory(of: directory)
        return LogPath(ofLog: state)?.live ?? state
    }
}

/// The recovery of one directory.
private struct DirectoryRecovery {
    /// The directory of logs, or of queues.
    let log: String
    let ledger: LedgerFile
    let chain: ProcessorChain
    /// Whether the filters of logs are known.
    let takesFiltered: Bool
    let isRaw: Bool
    let dropped: Set<String>
    var report = LogRecovery.Report()
    /// The sinks of the configuration.
    private var sinks: [SinkState] = []
    /// The logs of rings, in the formats of their programs.
    private var files: [String: FileSink] = [:]
    /// Sinks that failed, by name: later rings wait for them.
    private var failed: Set<String> = []

    init(log: String, chain: ProcessorChain, takesFiltered: Bool, isRaw: Bool, dropped: Set<String>) {
        self.log = log
        // A directory of queues has the ledger of programs without a log.
        ledger = LedgerFile(directory: Directory.exists(log + "/.taffrail") ? log + "/.taffrail" : log)
        self.chain = chain
        self.takesFiltered = takesFiltered
        self.isRaw = isRaw
        self.dropped = dropped
    }

    /// Creates the sinks of the configuration, except those that fail.
    mutating func makeSinks(_ parts: [PlannedPlugin]) {
        var made: [FilteredSink] = []
        for part in parts where !dropped.contains(part.name) {
            do {
                if let sink = try part.makeSinkForRecovery() { made.append(FilteredSink(sink, part.filter)) }
            } catch {
                report.refused.append("\(part.name): \((error as? SinkError)?.reason ?? "\(error)")")
            }
        }
        for (live, name) in zip(made, SinkNames.unique(for: made.map(\.base))) {
            live.base.attach(SinkBook(sink: name, ledgers: [ledger]))
            sinks.append(SinkState(live, name: name))
        }
    }

    mutating func drain(_ path: String) {
        switch RingFile.inspect(path) {
        case .locked, .gone: return
        case .refused(let reason, _): return report.refused.append(reason)
        case .readable(let ring):
            if ring.isLocked { return }
            guard isRaw || chain.suffices(for: ring.header) && (takesFiltered || !ring.header.hasFilteredLog) else {
                return report.withheld.append(path)
            }
            do throws(OptionError) { try drain(ring) } catch {
                report.refused.append("\(path): a ring for \"\(ring.header.destination)\": \(error)")
            }
        }
    }

    private mutating func drain(_ ring: RingFile) throws(OptionError) {
        let header = ring.header
        var states: [SinkState] = []
        var file: FileSink?
        if !header.destination.isEmpty {
            guard !header.destination.contains("/") else {
                return report.refused.append("\(ring.path): \"\(header.destination)\" is not a log name")
            }
            if let sink = try logSink(of: ring), !dropped.contains(sink.name) {
                // Its lines have the program's format; the configuration determines which records it gets.
                let configured = sinks.first { $0.sink.destinations.contains(where: sink.destinations.contains) }
                guard isRaw || configured != nil || sinks.isEmpty || !header.hasFilteredLog else {
                    return report.withheld.append(ring.path)
                }
                states.append(SinkState(FilteredSink(sink, configured?.filter ?? SinkFilter()), name: sink.name))
                file = sink
            }
        }
        let match = SinkMatch(states + sinks, in: header, directory: ring.directory)
        states += sinks
        guard zip(states, match.slots).allSatisfy({ $1 == nil || !failed.contains($0.name) }) else {
            return report.left.append(ring.path)
        }
        var scope = Recovery.Scope(directories: [ring.directory], paths: [ring.path])
        scope.leavesProcessed = !isRaw
        scope.keepsAbsent = true
        scope.dropped = dropped
        scope.ledgers = [ledger]
        let recovery = Recovery(scope)
        recovery.advance(sinks: &states, processors: chain)
        if !recovery.isDone {
            for state in states where state.failure != nil { failed.insert(state.name) }
            report.failure = report.failure ?? states.lazy.compactMap(\.failure?.reason).first
            report.left.append(ring.path)
        }
        sinks = Array(states.suffix(sinks.count))
        report.records += Int(clamping: recovery.delivered.values.max() ?? 0)
        report.left += recovery.left
        report.refused += recovery.refused
        report.waiting += recovery.waiting.map {
            LogRecovery.Waiting(ring: $0.ring, sink: $0.sink, records: $0.records)
        }
        if let file, recovery.delivered[file.name, default: 0] > 0, !report.files.contains(file.path) {
            report.files.append(file.path)
        }
    }

    /// Returns the directory of a ring's log: the directory of the ring, or the one in which the run wrote the log;
    /// `nil` if unknown.
    private func directoryOfLog(of ring: RingFile) -> String? {
        if ring.directory.hasSuffix("/.taffrail") { return Directory.parent(of: ring.directory) ?? log }
        let sinks = RingSinks(ring.header, ringIn: ring.directory)
        // The header of an old ring does not contain it.
        guard let isHere = sinks.hasFirstLog(in: log) else {
            return log != ring.directory || FileName.exists(log + "/" + ring.header.destination) ? log : nil
        }
        if isHere || sinks.hasMovedFirstLog(to: log) { return log }
        let listed = RingPointer.directories(ofRing: ring.path, ring.header.run).compactMap(Directory.parent(of:))
        return listed.first { sinks.hasFirstLog(in: $0) == true }
    }

    /// Returns the sink for the log of a ring; `nil` if the directory of the log is unknown.
    private mutating func logSink(of ring: RingFile) throws(OptionError) -> FileSink? {
        guard let home = directoryOfLog(of: ring) else { return nil }
        let header = ring.header
        guard let format = FileOptions.Format(rawValue: header.encoder) else {
            throw OptionError(
                "format",
                "\"\(header.encoder)\" is not known here; the program itself recovers the records when it starts")
        }
        let layout = header.layout
        guard format != .pattern || layout.pattern != nil else {
            throw OptionError(
                "pattern",
                "longer than the \(RingHeader.patternLength) bytes that a ring can store; the program itself recovers "
                    + "the records when it starts")
        }
        let options = FileOptions(
            path: (home == "/" ? "" : home) + "/" + header.destination,
            rotate: RotationOptions(size: nil, every: nil, keep: nil),
            format: format, pattern: layout.pattern, time: layout.time, precision: layout.precision)
        let name = header.logSink.isEmpty ? "file:" + header.destination : header.logSink
        let key = "\(options.path)\n\(format)\n\(layout)\n\(name)"
        if let made = files[key] { return made }
        let sink = try FileSink(options, name: name)
        files[key] = sink
        return sink
    }

    mutating func close() {
        for sink in sinks.map(\.sink) + files.values.map({ $0 as any Sink }) {
            do throws(SinkError) { try sink.close() } catch { report.failure = report.failure ?? error.reason }
        }
    }
}

extension PlannedPlugin {
    /// Opens the sink for records of dead runs, without rotation or retention.
    func makeSinkForRecovery() throws -> (any Sink)? {
        guard var options = options as? FileOptions else { return try makeSink() }
        options.rotate = RotationOptions(size: nil, every: nil, keep: nil)
        return try FilePlugin.makeSink(options, instance)
    }
}
