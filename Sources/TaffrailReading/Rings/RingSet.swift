internal import Taffrail

/// The rings of the runs that write a log, and the position up to which the log had each of them at that time.
struct RingSet: Equatable {
    private struct Entry: Equatable {
        let path: String
        let share: RingSinks.Share
        let position: UInt64
    }

    private var entries: [Entry] = []
    /// Rings that cannot be read, with the reason.
    private var problems: [String] = []

    /// Whether no ring can be read.
    var isEmpty: Bool { entries.isEmpty }

    /// The rings of the runs that write a log, in any directory.
    ///
    /// Those that this user may not read are left out: only the owner may read queues, but a group the log.
    init(of log: LogPath) {
        self.init(in: log.state, reportsDenied: false) { $0.share(ofLog: log.live) }
    }

    /// The rings of runs whose logs in a directory have no files, or that write no log and keep their rings in it.
    ///
    /// Those that this user may not read are left out if the directory has logs.
    init(in directory: String, except logs: [LogPath]) {
        let state = directory + "/.taffrail"
        self.init(in: state, reportsDenied: logs.isEmpty) { sinks in
            guard !logs.contains(where: { sinks.share(ofLog: $0.live) != nil }) else { return nil }
            return sinks.logs(in: directory).first?.share ?? (sinks.hasNoLog(in: state) ? RingSinks.Share.unknown : nil)
        }
    }

    private init(in state: String, reportsDenied: Bool, share: (RingSinks) -> RingSinks.Share?) {
        let found = RingPaths(in: state)
        if reportsDenied || !found.isDenied { problems = found.problems }
        for path in found.paths {
            switch RingFile.inspect(path) {
            case .locked, .gone: continue
            case .refused(let reason, let isDenied):
                if reportsDenied || !isDenied { problems.append(reason) }
            case .readable(let ring):
                guard let share = share(RingSinks(ring.header, ringIn: ring.directory)) else { continue }
                entries.append(Entry(path: path, share: share, position: share.position(in: ring.header)))
            }
        }
    }

    /// Copies the records that the log lacks.
    ///
    /// - Parameter onlyDead: Whether to skip rings of running programs, which write the records themselves.
    func read(isRaw: Bool, onlyDead: Bool, report: (String) -> Void) -> [RingLines] {
        for problem in problems { report(problem) }
        return entries.compactMap { entry in
            switch RingLines.read(entry.path, entry.share, isRaw: isRaw) {
            case .gone: return nil
            case .refused(let reason):
                report(reason)
                return nil
            case .withheld(let bytes, let isAlive):
                if bytes > 0 && !(isAlive && onlyDead) {
                    report("\(entry.path): \(bytes) bytes are not shown because its program has processors; use --raw")
                }
                return nil
            case .lines(let lines):
                return lines.count == 0 || onlyDead && lines.isAlive ? nil : lines
            }
        }
    }
}
