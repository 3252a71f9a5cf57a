#if Command
internal import ArgumentParser
internal import Taffrail

/// `taffrail status [DIR]`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how far the queues of running programs are, and what dead ones left.",
        discussion: """
            It reads the queues' files; the programs are not asked and not held up.

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
        if found.queues.isEmpty { print("no queues in \(directory)") }
        for queue in found.queues { Self.show(queue) }
        for problem in found.problems { StandardStream.complain(problem) }
        guard found.problems.isEmpty else { throw ExitCode.dataError }
    }

    private static func show(_ queue: QueueStatus) {
        let state = queue.isAlive ? "running, process \(queue.processID)" : "dead, waits for recovery"
        let log = queue.destination.isEmpty ? "" : " for \(queue.destination)"
        print("run \(queue.run)\(log): \(state)")
        let percent = 100 * queue.depth / max(1, queue.capacity)
        print("  queue     \(queue.depth) of \(queue.capacity) bytes (\(percent) %)")
        print("  records   \(queue.records) written by the program")
        let drops = Level.allCases.compactMap { level in queue.dropped[level].map { "\(level.name) \($0)" } }
        print("  dropped   \(drops.isEmpty ? "none" : drops.joined(separator: ", ")), by processors \(queue.filtered)")
        for sink in queue.sinks {
            print("  sink      \(sink.name): \(sink.behind) bytes behind, \(sink.lost) records lost")
        }
    }
}
#endif
