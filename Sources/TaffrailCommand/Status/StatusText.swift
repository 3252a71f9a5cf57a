#if Command
internal import Taffrail
internal import TaffrailReading

/// A status for a person to read.
struct StatusText {
    private let report: StatusReport
    private(set) var lines: [String] = []

    /// The number of ended runs to list individually.
    private static let shown = 10

    init(_ report: StatusReport) {
        self.report = report
        if report.queues.isEmpty && report.memoryQueues.isEmpty { lines.append("no queues in \(report.directory)") }
        for queue in report.queues { add(queue) }
        for queue in report.memoryQueues {
            lines.append("run \(queue.run): running, process \(queue.processID)")
            lines.append("  queue     in memory: records that no sink has written are lost if the program is killed")
            if let levels = queue.levels { lines.append("  levels    \(levels)") }
        }
        for plugin in report.plugins { lines.append("plugin \(plugin.instance): \(plugin.json)") }
        addEndings()
    }

    private mutating func add(_ queue: StatusReport.Queue) {
        let status = queue.status
        let log = status.destination.isEmpty ? "" : " for \(status.destination)"
        var state = "running, process \(status.processID)"
        switch queue.health {
        case .dead: state = "dead, waiting for recovery"
        case .waiting: state += ", waiting for a sink"
        case .lossy: state += ", has lost records"
        case .idle, .running: break
        }
        lines.append("run \(status.run)\(log): \(state)")
        let percent = 100 * status.depth / max(1, status.capacity)
        if queue.directory != report.stateDirectory { lines.append("  file      \(status.path)") }
        lines.append("  queue     \(status.depth) of \(status.capacity) bytes (\(percent) %)")
        lines.append("  records   \(status.records) written by the program")
        var drops = DropReason.allCases.compactMap { reason in
            status.droppedByReason[reason].map { "\(reason.rawValue) \(Self.text($0))" }
        }
        if status.filtered > 0 { drops.append("processor \(status.filtered)") }
        lines.append("  dropped   \(drops.isEmpty ? "none" : drops.joined(separator: "; "))")
        if let levels = queue.levels { lines.append("  levels    \(levels)") }
        for sink in status.sinks {
            let (written, lost) = (CountText.text(sink.written, "record"), CountText.text(sink.lost, "record"))
            lines.append(
                "  sink      \(sink.name): \(written) written, \(sink.behind) bytes pending, \(lost) lost"
                    + (sink.filtered > 0 ? ", \(sink.filtered) filtered" : ""))
        }
        guard !queue.absentSinks.isEmpty else { return }
        lines.append(
            "  waiting   for sinks that no running program here has (\(queue.absentSinks.joined(separator: ", "))); "
                + "\"\(Recovery.command(forRing: status.path))\" with their configuration writes the records")
    }

    /// The ended runs: a summary, and the newest of those with dropped records.
    private mutating func addEndings() {
        let endings = report.endings
        guard !endings.isEmpty else { return }
        let drops = Dictionary(grouping: report.ledger.drops, by: \.run)
        let incomplete = endings.filter { drops[$0.ending.run] != nil }
        let records = endings.reduce(UInt64(0)) { $0 &+ $1.ending.records }
        lines.append(
            "ended runs: \(endings.count) with \(CountText.text(records, "record")); "
                + (incomplete.isEmpty ? "nothing was dropped" : "in \(incomplete.count) of them records were dropped"))
        for (ending, logs) in incomplete.suffix(Self.shown) {
            let log = logs.isEmpty ? "" : " for \(logs.joined(separator: ", "))"
            lines.append(
                "run \(ending.run)\(log): ended \(ending.endedAt), \(CountText.text(ending.records, "record"))")
            let groups = Dictionary(grouping: drops[ending.run] ?? []) { Subject(reason: $0.reason, sink: $0.sink) }
            for (subject, drops) in groups.sorted(by: { $0.key.label < $1.key.label }) {
                let count = drops.reduce(UInt64(0)) { $0 &+ $1.count }
                let levels = drops.reduce(into: [:]) { $0.merge($1.levels, uniquingKeysWith: &+) }
                lines.append(
                    "  dropped   \(subject.label) \(count)\(levels.isEmpty ? "" : " (\(Self.text(levels)))")")
            }
        }
    }

    private struct Subject: Hashable {
        let reason: DropReason
        let sink: String
        var label: String { sink.isEmpty ? reason.rawValue : "\(reason.rawValue), sink \(sink):" }
    }

    private static func text(_ levels: [Level: UInt64]) -> String {
        Level.allCases.compactMap { level in levels[level].map { "\(level.name) \($0)" } }.joined(separator: ", ")
    }
}
#endif
