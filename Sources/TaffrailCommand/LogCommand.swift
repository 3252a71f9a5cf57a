#if Command
internal import ArgumentParser
internal import Taffrail
#if Configuration
internal import TaffrailConfiguration
#endif

/// `taffrail log LEVEL MESSAGE [key=value…]` and `taffrail log LEVEL --stdin [--tee]`.
struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Log a record, or each line of stdin as a record.",
        discussion: """
            Exit code 0 is the acknowledgement: the record is in the file. With --stdin a line is acknowledged when it \
            survives kill -9, in the queue or, for a queue without a file, in the log; --tee echoes it then. While the \
            queue is full, for example because the disk is, the input waits. Lost or truncated lines, and a failure to \
            write the echo, are errors.

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
            <N> in front of others; LEVEL is that of lines without one.
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

    func run() throws {
        if try runConfigured() { return }
        let options = try flags.options()
        guard stdin else { return try writeOne(options) }
        let sink = try FileSink(options)
        do throws(SinkError) { try sink.open() } catch {
            StandardStream.complain(error.reason)
            throw ExitCode.cannotCreate
        }
        let pipeline = Pipeline(sinks: [sink], level: .trace)
        pipeline.keepsAbsentSinks = true
        try input.run(into: pipeline, options.path)
    }

    /// Logs through the pipeline of a configuration. Returns `false` when none is given.
    private func runConfigured() throws -> Bool {
        #if Configuration
        if config != nil && flags.isGiven {
            throw ValidationError("--config cannot be combined with --file, --rotate-size or --keep")
        }
        guard let named = config ?? (flags.isGiven ? nil : Environment["TAFFRAIL_CONFIG"]) else { return false }
        guard let (file, configured) = try ConfigurationFlag.plan(named) else { return false }
        var plan = configured
        if !stdin { plan.queue.capacity = min(plan.queue.capacity, capacity) }
        let live = try ConfigurationFlag.start(plan, file: file)
        if stdin {
            // The level of a configuration must not suppress the record.
            live.pipeline.level = parse ? live.pipeline.level : min(live.pipeline.level, level)
            try input.run(into: live.pipeline, nil)
        } else {
            live.pipeline.logger(logger).logAnyLevel(try record())
            let unwritten = UnwrittenRecords(of: live.pipeline)
            guard live.pipeline.shutdown() else {
                unwritten.report()
                throw ExitCode.inputOutput
            }
        }
        return true
        #else
        if config != nil { throw MissingTrait.configuration }
        return false
        #endif
    }

    private var input: StandardInputLogger {
        StandardInputLogger(level: level, logger: logger, tee: tee, drops: noWait, parses: parse)
    }

    /// The queue's size, in bytes, for one record: allocating a larger one would take most of the command's time.
    private var capacity: Int { 256 << 10 + 16 * words.reduce(0) { $0 + $1.utf8.count } }

    /// The record of the arguments.
    private func record() throws -> LogRecord {
        var record = LogRecord(level: level, message: words[0], logger: logger)
        for word in words.dropFirst() {
            guard let entry = AttributeArgument.entry(word) else {
                throw ValidationError("\"\(word)\" is not an attribute; expected key=value")
            }
            record.attributes.append(entry)
        }
        return record
    }

    /// Writes one record under the lock, without a queue.
    private func writeOne(_ options: FileOptions) throws {
        var buffer = RecordBuffer()
        buffer.append(try record())
        do {
            let sink = try FileSink(options)
            try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        } catch let error as SinkError {
            StandardStream.complain(error.reason)
            throw ExitCode.inputOutput
        }
    }
}

/// Parses attributes on a command line.
enum AttributeArgument {
    /// Parses `key=value`. Integers, decimal numbers, `true` and `false` that print the same become values of their
    /// types; everything else is a string.
    static func entry(_ word: String) -> LogValueEntry? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        return LogValueEntry(String(word[..<equals]), value(String(word[word.index(after: equals)...])))
    }

    private static func value(_ text: String) -> LogValue {
        if let number = Int64(text), "\(number)" == text { return .int(number) }
        if let number = Double(text), number.isFinite, "\(number)" == text { return .double(number) }
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: return .string(text)
        }
    }
}
#endif
