#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailReading

/// `taffrail tail PATH…`.
struct TailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Print logs with all their files in order, and follow them.",
        discussion: """
            A path is a log with its rotated and compressed files, a directory of logs (its .yaml files are ignored), \
            journal:IDENTIFIER[@NAMESPACE] for systemd's journal, or - for the standard input. Lines of several paths are \
            merged by time. Records that a killed program left in its queue have taffrail.unrecovered=true. A path that \
            cannot be read is reported, the others are printed, and the exit status is 66, or 77 if permission is \
            denied. It is 65 if part of a log or of a queue cannot be read, for example in a damaged file. Queues that \
            the user has no permission to read are omitted without an error if there is a log to print.

            If lines of several logs are merged, each text line is prefixed with its log's name, even in a pipe; \
            JSON and logfmt lines are not.

            The times and levels of these formats are recognized: text, JSON and logfmt of Taffrail and of other programs, whose \
            JSON gets Taffrail's keys with --json; lines that start with a date and time; \
            \(KnownLineFormat.names.joined(separator: "; ")). A line without a time follows the line before it.

            Examples:
              taffrail tail -F /var/log/ferry
              taffrail tail -100 --since -10m --level warning app.log journal:ferry
              kubectl logs ferry | taffrail tail - -i --grep timeout --exclude healthz
              taffrail tail --verify /var/log/ferry
              taffrail tail --since '2026-01-05 14:30' --until '2026-01-05 14:31' --format json /var/log/ferry
            """)

    @Flag(
        name: .shortAndLong,
        help: "Follow the logs across rotation, deletion and truncation.")
    var follow = false

    @Flag(name: [.customShort("F"), .customLong("retry")], help: "The same, and wait for logs that do not exist yet.")
    var retry = false

    @Option(
        name: [.customShort("n"), .customLong("lines")], parsing: .unconditional,
        help: ArgumentHelp("Print only the last COUNT lines; -10 and -n10 also work.", valueName: "count"))
    var lines: Int?

    @Option(help: "Minimum level; a line without a level counts as info.")
    var level: Level?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start time: \(TimeArgument.forms).", valueName: "time"), transform: TimeOption.time)
    var since: Timestamp?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("End time, exclusive.", valueName: "time"),
        transform: TimeOption.time)
    var until: Timestamp?

    @Option(help: ArgumentHelp("Only this logger and those below it (net includes net.http).", valueName: "name"))
    var logger: String?

    @Option(help: ArgumentHelp("Only lines that match an extended regular expression.", valueName: "regex"))
    var grep: String?

    @Option(help: ArgumentHelp("Omit lines that match an extended regular expression.", valueName: "regex"))
    var exclude: String?

    @Flag(name: .shortAndLong, help: "Ignore case in --grep and --exclude.")
    var ignoreCase = false

    @Option(help: ArgumentHelp("The output format: text, json or logfmt.", valueName: "format"))
    var format = Format.text

    @Flag(help: "The same as --format json.")
    var json = false

    @Option(
        name: [.customLong("color"), .customLong("colour")],
        help: "Whether levels have colours; auto: on a terminal, unless NO_COLOR is set or TERM is dumb.")
    var color = Color.auto

    @Flag(inversion: .prefixedNo, help: "Prefix lines of text with their log's name if several are printed.")
    var prefix = true

    @Flag(help: "Include records in the queues of killed programs that processors would have removed.")
    var raw = false

    @Flag(
        help: """
            Instead of printing lines, check against index, queues and ledger that every record is present and unchanged, \
            and list those that are missing and why; exit status 65 if any is lost. Intended removals and drops are \
            listed, but are not losses. Changed lines are detected, except in the last part of a running or killed run and in \
            lines that taffrail log wrote one by one, without a queue. In a text file that several programs write in \
            turn, at most 256 turns of each are checked; the report shows where the rest starts.
            """)
    var verify = false

    @Argument(
        help: ArgumentHelp("Logs, directories of logs, journal:IDENTIFIER[@NAMESPACE], and - .", valueName: "path"),
        completion: .file())
    var paths: [String]

    func validate() throws {
        if let lines, lines < 0 { throw ValidationError("-n must not be negative") }
        if verify, follow || retry || paths.contains(where: { !Self.isLog($0) }) {
            throw ValidationError("--verify cannot be combined with --follow, journal: or -")
        }
        if json && format == .logfmt { throw ValidationError("give --json or --format logfmt, not both") }
    }

    private static let journal = "journal:"
    private static let standardInput = "-"

    /// Returns whether a path names a log or a directory of logs.
    private static func isLog(_ path: String) -> Bool { path != standardInput && !path.hasPrefix(journal) }

    /// Opens the journal of `journal:NAME`, or the standard input.
    private func source(_ path: String) throws(LogTail.Refusal) -> any LineSource {
        if path == Self.standardInput {
            return StreamLines(descriptor: 0, label: Self.standardInput, follows: follow || retry)
        }
        let name = String(path.dropFirst(Self.journal.count))
        #if Journald
        let journal: JournalLines
        do throws(JournalLines.Refusal) {
            journal = try JournalLines(name, since: since?.nanoseconds)
        } catch {
            throw LogTail.Refusal(description: error.reason)
        }
        guard journal.isUnknown else { return journal }
        let reason = "journal:\(name): the journal has no entry with this identifier"
        guard follow || retry else { throw LogTail.Refusal(description: reason) }
        StandardStream.report("\(reason) yet")
        return journal
        #else
        throw LogTail.Refusal(description: "journal:\(name): requires the trait Journald")
        #endif
    }

    /// Reports missing records.
    private func runVerification() throws {
        let proofs: [LogVerifier]
        do throws(LogTail.Refusal) {
            proofs = try LogVerifier.read(paths: paths)
        } catch {
            throw (error.isDenied ? ExitCode.noPermission : .noInput).reporting(error.description)
        }
        for line in proofs.flatMap(\.report) { print(line) }
        guard proofs.allSatisfy(\.isComplete) else { throw ExitCode.dataError }
    }

    func run() throws {
        if verify { return try runVerification() }
        StandardStream.ignoreClosedPipes()
        let options = try options()
        var missing = false
        var others: [any LineSource] = []
        for path in paths where !Self.isLog(path) {
            do throws(LogTail.Refusal) { others.append(try source(path)) } catch {
                StandardStream.report(error.description)
                missing = true
            }
        }
        let logs = paths.filter(Self.isLog)
        guard !logs.isEmpty || !others.isEmpty else { throw ExitCode.noInput }
        let tail: LogTail
        do throws(LogTail.Refusal) {
            tail = try LogTail(paths: logs, others: others, options) { StandardStream.report($0) }
        } catch {
            throw error.isDenied ? ExitCode.noPermission : .noInput
        }
        var failure: CInt = 0
        tail.run(descriptor: 1) { bytes in
            failure = StandardStream.write(bytes, to: 1)
            return failure == 0
        }
        // The reader of the output may have closed it.
        guard failure == 0 || failure == StandardStream.closedPipe else {
            throw ExitCode.inputOutput.reporting("cannot write: \(Errno.text(failure))")
        }
        if tail.isDenied { throw ExitCode.noPermission }
        if tail.hasMissing || missing { throw ExitCode.noInput }
        if tail.hasFailed { throw ExitCode.dataError }
    }

    private func options() throws -> LogTail.Options {
        var options = LogTail.Options()
        options.follows = follow || retry
        options.waitsForMissing = retry
        options.last = lines
        options.filter.range = LineRange(since: since?.nanoseconds, until: until?.nanoseconds)
        options.filter.level = level
        options.filter.logger = logger
        options.format = json ? .json : format.fileFormat
        options.isRaw = raw
        options.isForTerminal = StandardStream.isTerminal(1)
        options.isColoured = color.isOn
        options.showsSources = prefix
        for (flag, text) in [("--grep", grep), ("--exclude", exclude)] {
            guard let text else { continue }
            do throws(LinePatternMatch.Failure) {
                let match = try LinePatternMatch(text, ignoresCase: ignoreCase)
                if flag == "--grep" { options.filter.pattern = match } else { options.filter.exclusion = match }
            } catch {
                throw ValidationError("\(flag): \(error)")
            }
        }
        return options
    }

    /// Returns the command's arguments, in which `-10` and `-n10` are replaced by `-n 10`, as in tail(1).
    static func arguments(_ words: [String]) -> [String] {
        guard words.first(where: { !$0.hasPrefix("-") }) == configuration.commandName else { return words }
        var result: [String] = []
        var isOver = false
        for word in words {
            isOver = isOver || word == "--"
            let digits = word.hasPrefix("-n") ? word.dropFirst(2) : word.dropFirst()
            let isValue =
                result.last.map { ["--since", "--until", "--grep", "--exclude", "-n", "--lines"].contains($0) } ?? false
            if !isOver, !isValue, word.hasPrefix("-"), !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- 48 < 10 }) {
                result += ["-n", String(digits)]
            } else {
                result.append(word)
            }
        }
        return result
    }
}

extension TailCommand {
    /// The choices for colours.
    enum Color: String, ExpressibleByArgument, CaseIterable {
        case auto
        case always
        case never

        var isOn: Bool {
            switch self {
            case .always: true
            case .never: false
            case .auto: Environment.showsColors(on: 1)
            }
        }
    }

    /// The output formats.
    enum Format: String, ExpressibleByArgument, CaseIterable {
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
}
#endif
