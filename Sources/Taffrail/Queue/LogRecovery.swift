internal import Glibc

/// Brings what dead runs left in their rings into the log, without the program that logged it.
///
/// A program does the same for its own log when it starts. A kill during recovery changes nothing: what has been
/// written is booked, and the next one goes on there.
public enum LogRecovery {
    /// What was done.
    public struct Report: Sendable {
        /// How many records were written.
        public var records = 0
        /// The log files that they went to.
        public var files: [String] = []
        /// Rings that are not to be touched or make no sense, with the reason; they were left as they are.
        public var refused: [String] = []
        /// Rings of programs with processors, which were left alone: paths.
        public var withheld: [String] = []
        /// Rings that could not be drained wholly: paths. They can be tried again.
        public var left: [String] = []
        /// What a file could not take, where one failed.
        public var failure: String?
    }

    /// Drains all rings of dead runs beside the logs in a directory. Rings of running programs are left alone.
    ///
    /// Nothing is rotated and no file is deleted.
    ///
    /// A program with processors leaves rings that hold what these would remove: they are refused, unless the same
    /// processors are given, or the caller says that the text shall come out as it is.
    ///
    /// - Parameters:
    ///   - directory: The directory of the logs, or its `.taffrail`.
    ///   - processors: The processors of the program's configuration; `nil` where there is none at hand.
    ///   - isRaw: Whether rings of programs with processors are drained without them.
    /// - Throws: ``SinkError`` when the directory cannot be read.
    public static func recover(
        directory: String, processors: sending [any Processor]? = nil, isRaw: Bool = false
    ) throws(SinkError) -> Report {
        let chain = ProcessorChain(processors ?? [])
        let takesProcessed = processors != nil || isRaw
        let trimmed = directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
        let state = trimmed.hasSuffix("/.taffrail") ? trimmed : trimmed + "/.taffrail"
        let log = String(state.dropLast("/.taffrail".count))
        guard Directory.exists(log) else { throw .permanent("\(directory): no such directory") }
        var report = Report()
        var failed: Set<String> = []
        for ring in rings(in: state, takesProcessed, report: &report) {
            // What comes behind has to wait.
            guard !failed.contains(ring.destination) else {
                report.left.append(state + "/" + ring.name)
                continue
            }
            do throws(OptionError) {
                let isDone = try drain(
                    ring, through: takesProcessed ? chain : nil, log: log, state: state, report: &report)
                if !isDone { failed.insert(ring.destination) }
            } catch {
                report.refused.append("\(state)/\(ring.name): a ring for \"\(ring.destination)\": \(error)")
            }
        }
        return report
    }

    /// A ring of a dead run: where its records belong, and how they look there.
    private struct Ring {
        let name: String
        let destination: String
        let encoder: String
        let layout: LineLayout
        /// The name that the program had for the sink.
        let sink: String
    }

    /// The rings of dead runs, the oldest run first. Each one's lines look as its program wrote them.
    private static func rings(in state: String, _ takesProcessed: Bool, report: inout Report) -> [Ring] {
        var found: [Ring] = []
        for name in Recovery.rings(in: state) {
            switch DeadRing.open(state + "/" + name) {
            case .alive: continue
            case .refused(let reason): report.refused.append(reason)
            case .dead(let ring):
                let destination = ring.header.destination
                guard !destination.isEmpty, !destination.contains("/") else {
                    report.refused.append("\(ring.path): \"\(destination)\" is no name of a log")
                    continue
                }
                guard takesProcessed || !ring.header.hasProcessors else {
                    report.withheld.append(ring.path)
                    continue
                }
                let sink = ring.header.logSink
                found.append(
                    Ring(
                        name: name, destination: destination, encoder: ring.header.encoder, layout: ring.header.layout,
                        sink: sink.isEmpty ? "file:" + destination : sink))
            }
        }
        return found
    }

    /// Drains one ring. `false`: its log cannot be written now.
    private static func drain(
        _ ring: Ring, through chain: ProcessorChain?, log: String, state: String, report: inout Report
    ) throws(OptionError) -> Bool {
        guard let format = FileOptions.Format(rawValue: ring.encoder) else {
            throw OptionError("format", "\"\(ring.encoder)\" is not known")
        }
        let layout = ring.layout
        guard format != .pattern || layout.pattern != nil else {
            throw OptionError(
                "pattern",
                "longer than the \(RingHeader.patternLength) bytes that a ring can tell; the program itself brings the "
                    + "records in when it starts")
        }
        let path = log + "/" + ring.destination
        let sink = try FileSink(
            FileOptions(
                path: path, rotate: RotationOptions(size: nil, every: nil, keep: nil), format: format,
                pattern: layout.pattern, time: layout.time, precision: layout.precision),
            name: ring.sink)
        let journal = SinkJournal(ringPath: nil, run: .none, slot: 0) { _ in true }
        var sinks = [SinkState(sink: sink, slot: 0, journal: journal, position: 0)]
        let recovery = Recovery(
            directory: state, destination: ring.destination, only: [ring.name], except: .none,
            leavesProcessed: chain == nil, ledgers: [LedgerFile(directory: state)])
        let processors = chain ?? ProcessorChain([])
        let isDone = recovery.advance(sinks: &sinks, processors: processors, now: Clock.monotonicNanoseconds())
        if !isDone {
            report.failure = sinks[0].failure?.reason
            report.left.append(state + "/" + ring.name)
        }
        do throws(SinkError) { try sink.close() } catch { report.failure = report.failure ?? error.reason }
        report.records += recovery.recovered
        if recovery.recovered > 0, !report.files.contains(path) { report.files.append(path) }
        report.left += recovery.left
        return isDone
    }
}
