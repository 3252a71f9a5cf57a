#if Command
internal import ArgumentParser
internal import Glibc
internal import Taffrail
internal import TaffrailReading

/// `taffrail tail PATH…`.
struct TailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Show logs with all their files in order, and follow them.",
        discussion: """
            A path is a log, which stands for its rotated and compressed files as well, a directory of logs, or \
            journal:IDENTIFIER[@NAMESPACE], systemd's journal. Lines of several are merged by time. What a killed program left in its queue comes with \
            taffrail.unrecovered=true. Text, JSON, logfmt and what others wrote are read.

            Examples:
              taffrail tail -f /var/log/ferry
              taffrail tail --since 10m --level warning app.log journal:ferry
              taffrail tail --verify /var/log/ferry
              taffrail tail --since '2026-01-05 14:30' --until '2026-01-05 14:31' --format json /var/log/ferry
            """)

    @Flag(name: .shortAndLong, help: "Go on with what is logged, over rotation, deletion and truncation.")
    var follow = false

    @Option(
        name: [.customShort("n"), .customLong("lines")],
        help: ArgumentHelp("Only the last so many lines.", valueName: "count"))
    var lines: Int?

    @Option(help: "Only what is at least as serious; a line without a level counts as info.")
    var level: Level?

    @Option(help: ArgumentHelp("Only what was logged then or later: \(TimeArgument.forms).", valueName: "time"))
    var since: TimeOption?

    @Option(help: ArgumentHelp("Only what was logged before.", valueName: "time"))
    var until: TimeOption?

    @Option(help: ArgumentHelp("Only of this logger and those below it: net has net.http.", valueName: "name"))
    var logger: String?

    @Option(help: ArgumentHelp("Only lines in which an extended regular expression is found.", valueName: "regex"))
    var grep: String?

    @Option(help: ArgumentHelp("How lines are shown: text, json or logfmt.", valueName: "format"))
    var format = TailFormat.text

    @Flag(help: "Also show what processors would have removed from the queues of killed programs.")
    var raw = false

    @Flag(
        help: """
            Report instead of lines whether every record is there and unchanged, by index, queues and ledger, and which \
            are missing and why; exit code 65 where any is lost. What was removed or dropped on purpose is listed and no \
            loss. Lines that were changed are found but for those of a run's last part after SIGKILL.
            """)
    var verify = false

    @Argument(help: ArgumentHelp("Logs, directories of logs, and journal:IDENTIFIER[@NAMESPACE].", valueName: "path"))
    var paths: [String]

    func validate() throws {
        if let lines, lines < 0 { throw ValidationError("-n must not be negative") }
        if verify, follow || paths.contains(where: { $0.hasPrefix(Self.journal) }) {
            throw ValidationError("--verify is for logs, and neither follows nor reads the journal")
        }
    }

    private static let journal = "journal:"

    /// The journal that `journal:NAME` means.
    private func source(_ path: String) throws(LogTail.Refusal) -> any LineSource {
        let name = String(path.dropFirst(Self.journal.count))
        #if Journald
        do throws(JournalLines.Refusal) {
            return try JournalLines(name, since: since?.nanoseconds)
        } catch {
            throw LogTail.Refusal(description: error.reason)
        }
        #else
        throw LogTail.Refusal(description: "journal:\(name): taffrail was built without the trait Journald")
        #endif
    }

    /// Shows what is missing.
    private func runVerification() throws {
        let proofs: [LogVerifier]
        do throws(LogTail.Refusal) {
            proofs = try LogVerifier.read(paths: paths)
        } catch {
            StandardStream.complain(error.description)
            throw ExitCode.noInput
        }
        for line in proofs.flatMap(\.report) { print(line) }
        guard proofs.allSatisfy(\.isComplete) else { throw ExitCode.dataError }
    }

    func run() throws {
        if verify { return try runVerification() }
        StandardStream.ignoreClosedPipes()
        var options = LogTail.Options()
        options.follows = follow
        options.last = lines
        options.filter.range = LineRange(since: since?.nanoseconds, until: until?.nanoseconds)
        options.filter.level = level
        options.filter.logger = logger
        options.format = format.fileFormat
        options.isRaw = raw
        options.isForTerminal = isatty(1) == 1
        options.isColoured = options.isForTerminal && Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb"
        do throws(LinePatternMatch.Failure) {
            if let grep { options.filter.pattern = try LinePatternMatch(grep) }
        } catch {
            throw ValidationError("--grep: \(error)")
        }
        let tail: LogTail
        do throws(LogTail.Refusal) {
            let journals = paths.filter { $0.hasPrefix(Self.journal) }
            tail = try LogTail(
                paths: paths.filter { !journals.contains($0) }, others: try journals.map(source), options
            ) { StandardStream.complain($0) }
        } catch {
            StandardStream.complain(error.description)
            throw ExitCode.noInput
        }
        var failure: CInt = 0
        tail.run(descriptor: 1) { bytes in
            if StandardStream.write(bytes, to: 1) { return true }
            failure = errno
            return false
        }
        // Whoever reads has seen enough.
        guard failure == 0 || failure == EPIPE else {
            StandardStream.complain("cannot write: \(String(cString: strerror(failure)))")
            throw ExitCode.inputOutput
        }
        if tail.hasFailed { throw ExitCode.dataError }
    }
}

/// A moment on the command line.
struct TimeOption: ExpressibleByArgument {
    let nanoseconds: Int64

    init?(argument: String) {
        guard let moment = TimeArgument.nanoseconds(argument) else { return nil }
        nanoseconds = moment
    }
}

/// The formats that `tail` writes.
enum TailFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case logfmt

    var fileFormat: FileOptions.Format {
        switch self {
        case .text: .text
        case .json: .json
        case .logfmt: .logfmt
        }
    }
}
#endif
