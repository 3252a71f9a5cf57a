#if Command
internal import ArgumentParser
internal import Taffrail

/// `taffrail log LEVEL MESSAGE [key=value…]` and `taffrail log LEVEL --stdin [--tee]`.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Log a record, or each line of stdin as a record.",
        discussion: """
            Exit status 0 is the acknowledgement: the record is in the file. With --stdin a line is acknowledged when \
            it survives kill -9, in the queue or, for a queue without a file, in the log; --tee then echoes it. While the \
            queue is full, for example because the disk is full, no input is read. Lost or truncated lines, and a failure to \
            write the echo, are errors. If the reader of the echo closes its pipe, as head does, only the echo ends: \
            logging continues, and this is not an error.

            Examples:
              taffrail log info "backup done" files=1204 seconds=8.5
              ./job 2>&1 | taffrail log notice --stdin --file /var/log/job/app.log
              make | taffrail log info --stdin --tee
              docker logs -f web | taffrail log info --stdin --parse
            """)

    @Argument(help: "Severity.")
    var level: Level

    @Argument(help: ArgumentHelp("The message, then attributes as key=value.", valueName: "message"))
    var words: [String] = []

    @Flag(help: "Log each line of stdin as a record.")
    var stdin = false

    @Flag(help: "Echo each line once it is durable.")
    var tee = false

    @Flag(
        help: """
            Read lines that are JSON objects (level, message, time and the rest as attributes), and the syslog priority \
            <N> at the start of other lines; LEVEL is the level of lines without one.
            """)
    var parse = false

    @Flag(help: "While the queue is full, drop lines and report their count, instead of waiting.")
    var noWait = false

    @Option(help: ArgumentHelp("The logger's name.", valueName: "name"))
    var logger: String = ""

    @Option(
        help: ArgumentHelp(
            "Log through the pipeline of a configuration, including its inputs (default: $TAFFRAIL_CONFIG).",
            valueName: "file"), completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @OptionGroup var flags: FileFlags

    func validate() throws {
        if stdin {
            guard words.isEmpty else { throw ValidationError("--stdin takes no message") }
        } else {
            guard !words.isEmpty else { throw ValidationError("give a message, or use --stdin") }
            guard !tee else { throw ValidationError("--tee requires --stdin") }
            guard !noWait else { throw ValidationError("--no-wait requires --stdin") }
            guard !parse else { throw ValidationError("--parse requires --stdin") }
        }
    }

    func run() throws { try request.run() }

    /// The request of the arguments.
    var request: LogRequest {
        let input = StandardInputLogger(level: level, logger: logger, tee: tee, drops: noWait, parses: parse)
        return LogRequest(
            level: level, words: words, input: stdin ? input : nil, logger: logger, config: config,
            file: LogFileChoice(path: flags.file, rotateSize: flags.rotateSize, keep: flags.keep))
    }
}
#endif
