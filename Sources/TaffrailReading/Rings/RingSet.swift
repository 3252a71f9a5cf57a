internal import Taffrail

/// The rings that lie beside a log, and how far the log had them at one moment.
struct RingSet: Equatable {
    private struct Entry: Equatable {
        let path: String
        let position: UInt64
    }

    private var entries: [Entry] = []
    /// Rings that cannot be read, with the reason.
    private var problems: [String] = []

    /// Whether there are none that can be read.
    var isEmpty: Bool { entries.isEmpty }

    /// The rings of the runs that write a log.
    init(of log: LogPath) {
        self.init(in: log.state) { $0 == log.base }
    }

    /// The rings in a directory whose destination is wanted.
    init(in state: String, where isWanted: (String) -> Bool) {
        for name in Recovery.rings(in: state) {
            let path = state + "/" + name
            switch RingFile.inspect(path) {
            case .locked, .gone: continue
            case .refused(let reason): problems.append(reason)
            case .readable(let ring):
                guard isWanted(ring.header.destination) else { continue }
                entries.append(Entry(path: path, position: RingLines.logPosition(in: ring.header)))
            }
        }
    }

    /// Takes the records out that the log does not have.
    ///
    /// - Parameter onlyDead: Whether rings of running programs are passed over, because they are being written out.
    func read(isRaw: Bool, onlyDead: Bool, report: (String) -> Void) -> [RingLines] {
        for problem in problems { report(problem) }
        return entries.compactMap { entry in
            switch RingLines.read(entry.path, isRaw: isRaw) {
            case .gone: return nil
            case .refused(let reason):
                report(reason)
                return nil
            case .withheld(let bytes, let isAlive):
                if bytes > 0 && !(isAlive && onlyDead) {
                    report("\(entry.path): \(bytes) bytes are not shown, because its program has processors (--raw)")
                }
                return nil
            case .lines(let lines):
                return lines.count == 0 || onlyDead && lines.isAlive ? nil : lines
            }
        }
    }
}
