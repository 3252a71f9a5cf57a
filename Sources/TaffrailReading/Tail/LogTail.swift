internal import Glibc
package import Taffrail
internal import TaffrailText

/// Reads logs: merges the lines of all their files, of rings and of other sources by time, and follows them.
///
/// Memory use does not depend on the size of the logs: each source keeps one chunk.
package final class LogTail {
    /// The logs to read, and how to print them.
    package struct Options {
        /// Whether to wait for more at the end.
        package var follows = false
        /// How many of the last lines to print; `nil` for all.
        package var last: Int?
        package var filter = LineFilter()
        /// Text, JSON or logfmt.
        package var format = FileOptions.Format.text
        /// Whether to print rings of programs with processors without applying any.
        package var isRaw = false
        package var isForTerminal = false
        package var isColoured = false
        /// Whether to prefix each text line with its source's name when several sources are merged.
        package var showsSources = false
        /// Whether to wait for missing logs when following.
        package var waitsForMissing = false

        package init() {}
    }

    private let options: Options
    private var sources: [MergedSource] = []
    private var logs: Set<String> = []
    /// The records of each ring that are shown, by the positions after them.
    private var shown: [String: Set<UInt64>] = [:]
    private var directories: [String] = []
    private var watched: Set<String> = []
    private let output: LineOutput
    private var reported: Set<String> = []
    private let report: (String) -> Void
    private static let flushLimit = 64 << 10

    /// Whether there were read errors.
    package private(set) var hasFailed = false
    /// Whether a path could not be read at all.
    package private(set) var hasMissing = false
    /// Whether this user lacks permission to read a log or a given path.
    package var isDenied: Bool {
        (hasFailed || hasMissing)
            && logs.union(paths).contains { FileAccess.reading.error(at: $0) == Errno.accessDenied }
    }

    private let paths: [String]
    private var labels: SourceLabels

    /// Opens the logs.
    ///
    /// - Parameters:
    ///   - paths: Logs, and directories of logs.
    ///   - others: Further sources to merge.
    ///   - report: Called with one line for each error.
    package init(
        paths: [String], others: [any LineSource] = [], _ options: Options, report: @escaping (String) -> Void
    ) throws(Refusal) {
        self.paths = paths
        self.options = options
        self.report = report
        output = LineOutput(options.format, isForTerminal: options.isForTerminal)
        labels = SourceLabels(isColoured: options.isColoured)
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        for path in paths {
            let found: (logs: [LogPath], directory: String?)
            do throws(LogCatalog.Refusal) { found = try LogCatalog.logs(at: path) } catch {
                hasMissing = true
                // The other paths are still shown.
                guard options.follows, options.waitsForMissing, let log = LogPath(ofLog: path) else {
                    report(error.reason)
                    continue
                }
                report("\(error.reason); waiting for it")
                add(log)
                continue
            }
            if let directory = found.directory { directories.append(directory) }
            for log in found.logs { add(log) }
            if let directory = found.directory { addRings(in: directory, except: found.logs) }
        }
        for source in others { sources.append(MergedSource(source, label: source.label)) }
        guard !sources.isEmpty || !directories.isEmpty || !hasMissing else {
            throw Refusal(description: "nothing to read", isDenied: isDenied)
        }
        updateLabels()
    }

    /// Shows the names of the sources if there are several to distinguish.
    private func updateLabels() {
        let names = Set(sources.map(\.label))
        labels.isShown = options.showsSources && options.format == .text && names.count > 1
        labels.fit(names)
    }

    /// Returns the name printed before a log's lines: its base name, which distinguishes the logs of a directory.
    private func label(of log: LogPath) -> String {
        let isAmbiguous = logs.contains { $0 != log.live && $0.hasSuffix("/" + log.base) }
        return isAmbiguous ? log.live : log.base
    }

    /// Adds a log with the rings of the runs that write it.
    private func add(_ log: LogPath) {
        guard logs.insert(log.live).inserted else { return }
        watched.insert(log.path)
        let lines = LogLines(log, range: options.filter.range, follows: options.follows)
        var rings: [RingLines] = []
        for _ in 0..<200 {
            lines.open()
            // Records that a run now moves from its ring into the file must be shown exactly once.
            let before = RingSet(of: log)
            let end = lines.resolvedEnd()
            rings = before.read(isRaw: options.isRaw, onlyDead: options.follows, report: fail)
            guard RingSet(of: log) == before, lines.isCurrent else {
                poll(nil, 0, 1)
                continue
            }
            if !options.follows { lines.setLiveEnd(end) }
            break
        }
        if options.follows, !rings.isEmpty { lines.expect(rings) }
        let label = label(of: log)
        for source in sources { source.distinguish(from: log) }
        // A record that waits for several of the logs is shown once.
        for ring in rings {
            ring.leaveOut(&shown[ring.path, default: []])
            sources.append(MergedSource(ring, label: label, log: log.live))
        }
        sources.append(MergedSource(lines, label: label, log: log.live))
    }

    /// Adds rings of runs whose log does not exist.
    private func addRings(in directory: String, except logs: [LogPath]) {
        let rings = RingSet(in: directory, except: logs)
        for ring in rings.read(isRaw: options.isRaw, onlyDead: options.follows, report: fail) {
            sources.append(MergedSource(ring, label: directory))
        }
    }

    private func fail(_ problem: String) {
        hasFailed = true
        guard reported.count > 1000 || reported.insert(problem).inserted else { return }
        report(problem)
    }

    // MARK: Running

    /// Writes the wanted lines; when following, until the reader of the output closes it.
    ///
    /// - Parameters:
    ///   - descriptor: The output, to detect that its reader has closed it; -1: none.
    ///   - write: Writes bytes; `false` ends the run.
    package func run(descriptor: CInt, write: (UnsafeRawBufferPointer) -> Bool) {
        if let last = options.last {
            guard showLast(last, write) else { return }
        } else {
            guard drain(write) else { return }
        }
        guard options.follows else { return }
        let watch = DirectoryWatch(watched.union(directories), output: descriptor)
        while true {
            // Lines may have been added between the last read and the start of the watch.
            guard drain(write) else { return }
            let woken = sources.compactMap { source in source.source.wakeUp.map { (source, $0) } }
            let (readable, hasNewNames, isClosed) = watch.wait(woken.map(\.1), timeout: .seconds(1))
            if isClosed { return }
            for (index, (source, _)) in woken.enumerated() where readable[index] { source.source.wake() }
            if hasNewNames { for directory in directories { addNew(in: directory) } }
        }
    }

    /// Adds logs that have appeared in a directory.
    private func addNew(in directory: String) {
        for log in (try? LogCatalog.logs(in: directory)) ?? [] where !logs.contains(log.live) { add(log) }
        updateLabels()
    }

    /// Prints the last wanted lines of those available.
    private func showLast(_ count: Int, _ write: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        let filter = options.filter
        for source in sources {
            source.source.skipToLast(count) { line, head in
                guard filter.wants(line, head, time: head.time ?? 0) else { return false }
                guard filter.hasPatterns else { return true }
                var text = LineBuffer()
                output.append(line, head, time: head.time ?? 0, marks: [], to: &text)
                return filter.wants(printedIn: text, from: 0)
            }
        }
        var kept: [[UInt8]] = []
        var oldest = 0
        var buffer = LineBuffer()
        merge(into: &buffer) { buffer in
            if count > 0 {
                let line = [UInt8](buffer.bytes)
                if kept.count < count {
                    kept.append(line)
                } else {
                    kept[oldest] = line
                    oldest = (oldest + 1) % count
                }
            }
            buffer.removeAll(keeping: 1 << 20)
            return true
        }
        for line in kept[oldest...] + kept[..<oldest] {
            guard line.withUnsafeBytes(write) else { return false }
        }
        return true
    }

    /// Writes all available lines.
    private func drain(_ write: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var isOpen = true
        var rest = LineBuffer()
        merge(into: &rest) { buffer in
            if buffer.count >= Self.flushLimit {
                isOpen = write(buffer.bytes)
                buffer.removeAll(keeping: 2 * Self.flushLimit)
            }
            return isOpen
        }
        return isOpen && (rest.count == 0 || write(rest.bytes))
    }

    // MARK: Merging

    /// Appends each wanted line as printed, in order, to a buffer and then calls `body`, until it returns `false` or no
    /// source has a line.
    private func merge(into buffer: inout LineBuffer, _ body: (inout LineBuffer) -> Bool) {
        var ready = sources.filter { $0.advance() }
        let showsLabels = labels.isShown
        // The source with the next line, and the time up to which its lines come next.
        while let index = ready.earliest {
            let source = ready[index]
            let limit = ready.earliestTime(but: index)
            repeat {
                if append(source, showsLabels: showsLabels, to: &buffer), !body(&buffer) { return }
                guard source.advance() else {
                    ready.remove(at: index)
                    break
                }
            } while source.time <= limit
        }
        for source in sources { for problem in source.source.takeProblems() { fail(problem) } }
        if !options.follows { sources = [] } else { sources.removeAll { $0.source is RingLines } }
    }

    /// Appends the current line of a source as printed. Returns `false` if it is not wanted.
    @inline(__always)
    private func append(_ source: MergedSource, showsLabels: Bool, to buffer: inout LineBuffer) -> Bool {
        let line = source.source.line
        let head = source.head
        // A line without time and level belongs to the previous one, as in a stack trace.
        if head.time != nil || head.level != nil || head.shape != .foreign || source.isFirst {
            source.isWanted = options.filter.wants(line, head, time: head.time ?? source.time)
        }
        source.isFirst = false
        guard source.isWanted else { return false }
        let start = buffer.count
        if showsLabels { labels.append(source.label, to: &buffer) }
        let colour = options.isColoured && options.format == .text ? head.level?.lineColour : nil
        if let colour { buffer.append(string: colour) }
        let text = buffer.count
        output.append(line, head, time: source.time, marks: source.marks, to: &buffer)
        guard options.filter.wants(printedIn: buffer, from: text) else {
            buffer.truncate(to: start)
            return false
        }
        if colour != nil {
            buffer.truncate(to: buffer.count - 1)
            buffer.append(string: "\u{1b}[0m\n")
        }
        return true
    }
}
