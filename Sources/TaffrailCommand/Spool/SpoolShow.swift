#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailDelivery

/// `taffrail spool show`.
struct SpoolShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the queued records, or the dead letters, as JSON lines.")
    @OptionGroup var choice: SpoolChoice

    @Flag(help: "Show the dead letters, each after a line with the reason.")
    var dead = false

    @Option(help: "The maximum number of records to print.")
    var limit = 100

    func validate() throws { try LimitOption.validate(limit) }

    func run() throws {
        var left = limit
        for (_, spool) in try choice.inspections() {
            if dead {
                try showDead(spool.directory, &left)
            } else {
                var output = RecordOutput()
                try output.print(spool, limit: &left)
            }
        }
    }

    private func showDead(_ directory: String, _ left: inout Int) throws {
        let letters: [DeadLetter]
        do throws(SystemError) { letters = try DeadLetters.read(DeadLetters.path(in: directory)) } catch {
            throw ExitCode.inputOutput.reporting(error)
        }
        var output = RecordOutput()
        for letter in letters.prefix(left) {
            // Written unbuffered like the records: buffered output would follow them.
            let time = Timestamp(nanoseconds: letter.frame.time)
            StandardStream.write("# \(time) \(TerminalText.safe(letter.reason))\n", to: 1)
            guard let buffer = RecordBuffer(bytes: letter.record, run: letter.frame.run) else { continue }
            try buffer.withBatch { batch in try batch.forEach { record in try output.print(record) } }
        }
        left -= min(left, letters.count)
    }
}
#endif
