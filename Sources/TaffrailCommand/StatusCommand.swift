#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailReading
internal import TaffrailTransport

/// `taffrail status [DIR]`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how far the queues of running programs are, what dead ones left, and what was dropped.",
        discussion: """
            It reads the queues' files and the ledger. A program with a control socket is asked for its levels.

            Example:
              taffrail status ~/.local/state/ferry
            """)

    @Argument(
        help: ArgumentHelp(
            "The directory of the logs (default: where a log without a configuration lies).", valueName: "dir"))
    var directory: String?

    func run() throws {
        let log = DefaultLog.settings(program: "taffrail").file.path
        let directory = directory ?? log.lastIndex(of: "/").map { String(log[..<$0]) } ?? "."
        let found: (queues: [QueueStatus], problems: [String])
        do throws(SinkError) { found = try QueueStatus.read(directory: directory) } catch {
            StandardStream.complain(error.reason)
            throw ExitCode.noInput
        }
        let ledger: LedgerContents
        do throws(SinkError) { ledger = try Ledger.read(directory: directory) } catch {
            StandardStream.complain(error.reason)
            throw ExitCode.noInput
        }
        if found.queues.isEmpty { print("no queues in \(directory)") }
        let state = QueueStatus.stateDirectory(of: directory)
        for queue in found.queues { Self.show(queue, in: state) }
        var directories = [state]
        for queue in found.queues {
            let other = Directory.parent(of: queue.path) ?? "/"
            if !directories.contains(other) { directories.append(other) }
        }
        for status in directories.flatMap(SinkBook.StatusFile.read(directory:)) {
            print("plugin \(status.instance): \(status.json)")
        }
        Self.show(ledger)
        for problem in found.problems { StandardStream.complain(problem) }
        if ledger.unreadable > 0 { StandardStream.complain("the ledger: \(ledger.unreadable) lines make no sense") }
        guard found.problems.isEmpty && ledger.unreadable == 0 else { throw ExitCode.dataError }
    }

    private static func show(_ queue: QueueStatus, in directory: String) {
        let own = Directory.parent(of: queue.path) ?? "/"
        let state = queue.isAlive ? "running, process \(queue.processID)" : "dead, waits for recovery"
        let log = queue.destination.isEmpty ? "" : " for \(queue.destination)"
        print("run \(queue.run)\(log): \(state)")
        let percent = 100 * queue.depth / max(1, queue.capacity)
        if own != directory { print("  file      \(queue.path)") }
        print("  queue     \(queue.depth) of \(queue.capacity) bytes (\(percent) %)")
        print("  records   \(queue.records) written by the program")
        var drops = DropReason.allCases.compactMap { reason in
            queue.droppedByReason[reason].map { "\(reason.rawValue) \(text($0))" }
        }
        if queue.filtered > 0 { drops.append("processor \(queue.filtered)") }
        print("  dropped   \(drops.isEmpty ? "none" : drops.joined(separator: "; "))")
        if queue.isAlive, let levels = levels(of: queue, in: own) { print("  levels    \(levels)") }
        for sink in queue.sinks {
            print(
                "  sink      \(sink.name): \(sink.written) records written, \(sink.behind) bytes behind, "
                    + "\(sink.lost) records lost" + (sink.filtered > 0 ? ", \(sink.filtered) filtered" : ""))
        }
    }

    /// The levels of a running program; `nil` where it has no control socket or does not answer within a second.
    private static func levels(of queue: QueueStatus, in directory: String) -> String? {
        guard let path = ControlPath.path(of: queue.run, in: directory), let client = try? ControlClient(socket: path),
            let answer = try? client.ask(ControlCommand("status"), nanoseconds: 1_000_000_000).answer,
            case .string(var text)? = answer["level"]
        else { return nil }
        if case .map(let names)? = answer["levels"] {
            for entry in names { if case .string(let level) = entry.value { text += ", \(entry.key)=\(level)" } }
        }
        return answer["until_reload"] == true ? text + ", until the configuration is read again" : text
    }

    /// The runs that are over: all together, then those that miss something, the newest ones.
    private static func show(_ ledger: LedgerContents) {
        let logs = Dictionary(grouping: ledger.endings, by: \.run)
        let endings = ledger.endings.filter { logs[$0.run]?.last == $0 }
        guard !endings.isEmpty else { return }
        let drops = Dictionary(grouping: ledger.drops, by: \.run)
        let incomplete = endings.filter { drops[$0.run] != nil }
        let records = endings.reduce(UInt64(0)) { $0 &+ $1.records }
        print(
            "ended runs: \(endings.count) with \(records) records; "
                + (incomplete.isEmpty ? "nothing was dropped" : "in \(incomplete.count) of them records were dropped"))
        for ending in incomplete.suffix(shown) {
            let names = (logs[ending.run] ?? []).map(\.destination).filter { !$0.isEmpty }
            let log = names.isEmpty ? "" : " for \(names.joined(separator: ", "))"
            print("run \(ending.run)\(log): ended \(ending.endedAt), \(ending.records) records")
            let groups = Dictionary(grouping: drops[ending.run] ?? []) { Subject(reason: $0.reason, sink: $0.sink) }
            for (subject, drops) in groups.sorted(by: { $0.key.label < $1.key.label }) {
                let count = drops.reduce(UInt64(0)) { $0 &+ $1.count }
                let levels = drops.reduce(into: [:]) { $0.merge($1.levels, uniquingKeysWith: &+) }
                print("  dropped   \(subject.label) \(count)\(levels.isEmpty ? "" : " (\(text(levels)))")")
            }
        }
    }

    /// How many ended runs are shown one by one.
    private static let shown = 10

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
