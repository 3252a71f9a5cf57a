#if Command && Configuration
internal import ArgumentParser
internal import Taffrail
internal import TaffrailConfiguration
internal import TaffrailDelivery

/// `taffrail spool list|show|retry|export|drop`.
struct SpoolCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spool",
        abstract: "Show, export, retry and drop records that have not been sent.",
        discussion: """
            The spools are those of the configuration's sinks that send records (http, pinger), or the one that --directory names. \
            All but `drop` may be used while a program sends from them.

            Examples:
              taffrail spool list --config /etc/ferry/taffrail.yaml
              taffrail spool show --dead
              taffrail spool retry
            """,
        subcommands: [
            SpoolList.self, SpoolShow.self, SpoolRetry.self, SpoolExport.self, SpoolDrop.self,
        ],
        defaultSubcommand: SpoolList.self)
}

/// The spools of a command.
struct SpoolChoice: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration (\(ConfigurationFlag.search)).", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("Only the spool of this sink.", valueName: "name"))
    var sink: String?

    @Option(help: ArgumentHelp("The directory of a spool, instead of a configuration.", valueName: "path"))
    var directory: String?

    /// A spool, with the name of its sink.
    struct Choice {
        let name: String
        let options: SpoolOptions
        /// The state directory with the ledger of its sink.
        let ledger: String
    }

    /// Returns the spools.
    func spools() throws -> [Choice] {
        if let directory {
            let path = DestinationPath.resolved(directory)
            guard Directory.exists(path) else {
                StandardStream.complain("\(directory): there is no such directory")
                throw ExitCode.noInput
            }
            let options = SpoolOptions(directory: path)
            return [Choice(name: path, options: options, ledger: options.stateDirectory)]
        }
        guard let (file, plan) = try ConfigurationFlag.plan(config) else {
            StandardStream.complain(ConfigurationFlag.notFound)
            throw ExitCode.noInput
        }
        // The ledger is next to the log, like that of the program.
        let files = plan.plugins.first { $0.plugin.options is FileOptions }
        let log = files?.plugin.options.destinations(of: PluginInstance(named: "file")).first
            .flatMap { Directory.parent(of: $0) }
        let all = plan.plugins.compactMap { part -> Choice? in
            guard let options = part.plugin.options as? any SpoolingOptions else { return nil }
            let instance = part.plugin.instance
            let spool = options.spool(of: instance)
            return Choice(
                name: part.name, options: spool, ledger: log.map { $0 + "/.taffrail" } ?? spool.stateDirectory)
        }
        let chosen = all.filter { sink == nil || $0.name == sink }
        guard !chosen.isEmpty else {
            let what = sink.map { "no sink \($0) with a spool" } ?? "no sink with a spool"
            StandardStream.complain("\(file) has \(what)")
            throw ExitCode.noInput
        }
        return chosen
    }

    /// Returns the spools that exist.
    func inspections() throws -> [(name: String, spool: SpoolInspection)] {
        try spools().compactMap { choice in
            guard Directory.exists(choice.options.directory) else { return nil }
            do throws(SystemError) { return (choice.name, try SpoolInspection(choice.options.directory)) } catch {
                throw ExitCode.inputOutput.reporting(error)
            }
        }
    }
}

/// `taffrail spool list`.
struct SpoolList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Count the queued records of each spool.")
    @OptionGroup var choice: SpoolChoice

    func run() throws {
        for (name, spool) in try choice.inspections() {
            let summary: SpoolInspection.Summary
            do throws(SystemError) { summary = try spool.summary() } catch {
                throw ExitCode.inputOutput.reporting(error)
            }
            print("\(name)")
            print("  directory     \(spool.directory)")
            print("  waiting       \(summary.records) records, \(ByteSize.bytes(Int(summary.bytes)))")
            print("  segments      \(summary.segments)")
            if let oldest = summary.oldest { print("  oldest        \(Timestamp(nanoseconds: oldest))") }
            if let newest = summary.newest { print("  newest        \(Timestamp(nanoseconds: newest))") }
            if summary.losses > 0 { print("  damaged       \(summary.losses) records") }
            if summary.deadLetters > 0 { print("  dead letters  \(summary.deadLetters)") }
            if summary.failures > 0 {
                print(
                    "  failures      \(summary.failures) in a row, next attempt \(Timestamp(nanoseconds: summary.notBefore))"
                )
            }
        }
    }
}

/// `taffrail spool show`.
struct SpoolShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the queued records, or the dead letters, as JSON lines.")
    @OptionGroup var choice: SpoolChoice

    @Flag(help: "Show the dead letters, each after a line with the reason.")
    var dead = false

    @Option(help: "The most records to print.")
    var limit = 100

    func validate() throws { if limit < 1 { throw ValidationError("--limit must be at least 1") } }

    func run() throws {
        var left = limit
        for (_, spool) in try choice.inspections() {
            if dead {
                try showDead(spool.directory, &left)
            } else {
                var output = RecordOutput()
                do throws(RecordOutput.Ending) {
                    try spool.forEach { (record) throws(RecordOutput.Ending) in
                        guard left > 0 else { throw .enough }
                        left -= 1
                        try output.print(record)
                    }
                } catch {
                    continue
                }
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
            print("# \(Timestamp(nanoseconds: letter.frame.time)) \(letter.reason)")
            guard let buffer = RecordBuffer(bytes: letter.record, run: letter.frame.run) else { continue }
            try buffer.withBatch { batch in try batch.forEach { record in try output.print(record) } }
        }
        left -= min(left, letters.count)
    }
}

/// Prints records as JSON lines.
struct RecordOutput {
    enum Ending: Error { case enough, closed }

    private var encoder = JSONLineEncoder()

    mutating func print(_ record: borrowing RecordView) throws(Ending) {
        var buffer = LineBuffer()
        encoder.encode(record, into: &buffer)
        guard StandardStream.write(buffer.bytes, to: 1) == 0 else { throw .closed }
    }
}

/// `taffrail spool retry`.
struct SpoolRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Queue dead letters again, in the running program or for its next run.")
    @OptionGroup var choice: SpoolChoice

    func run() throws {
        for (name, spool) in try choice.inspections() {
            do throws(SystemError) {
                print("\(name): \(try DeadLetters.retry(in: spool.directory)) dead letters will be sent again")
            } catch {
                StandardStream.complain(
                    error.isTaken ? "\(name): earlier dead letters still wait to be sent" : "\(error)")
                throw ExitCode.temporaryFailure
            }
        }
    }
}

/// `taffrail spool export`.
struct SpoolExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print all queued records as JSON lines; they stay in the spool.")
    @OptionGroup var choice: SpoolChoice

    func run() throws {
        for (_, spool) in try choice.inspections() {
            var output = RecordOutput()
            var failure: SystemError?
            do throws(RecordOutput.Ending) {
                try spool.forEach { (record) throws(RecordOutput.Ending) in
                    try output.print(record)
                } failed: {
                    failure = $0
                }
            } catch {
                throw ExitCode.inputOutput
            }
            guard let failure else { continue }
            StandardStream.complain("\(failure)")
            throw ExitCode.inputOutput
        }
    }
}

/// `taffrail spool drop`.
struct SpoolDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Delete queued records, or the dead letters, and record it in the ledger. No program may be sending.")
    @OptionGroup var choice: SpoolChoice

    @Flag(help: "Delete the dead letters only.")
    var dead = false

    @Flag(name: .shortAndLong, help: "Confirm the deletion.")
    var yes = false

    func validate() throws { if !yes { throw ValidationError("deletes records; confirm with --yes") } }

    func run() throws {
        for choice in try choice.spools() where Directory.exists(choice.options.directory) {
            let (name, options) = (choice.name, choice.options)
            if dead {
                do throws(SystemError) {
                    print("\(name): \(try DeadLetters.drop(in: options.directory)) dead letters deleted")
                } catch { throw ExitCode.inputOutput.reporting(error) }
                continue
            }
            let spool = Spool(options)
            // An entry of a directory that does not exist is not written.
            try? Directory.create(choice.ledger)
            spool.setBook(SinkBook(sink: name, ledgers: [LedgerFile(directory: choice.ledger)]))
            do throws(SinkError) {
                let count = try spool.dropAll()
                spool.close()
                print("\(name): \(count) records deleted")
            } catch {
                StandardStream.complain("\(name): \(error.reason)")
                throw ExitCode.temporaryFailure
            }
        }
    }
}
#endif
