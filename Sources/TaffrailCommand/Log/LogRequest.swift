#if Command
internal import ArgumentParser
internal import Taffrail
#if Configuration
internal import TaffrailConfiguration
#endif

/// The request of a command line of `taffrail log`.
struct LogRequest: Equatable {
    /// The record's level, and that of lines without one.
    let level: Level
    /// The message, then attributes as `key=value`; empty when the lines of stdin are logged.
    var words: [String] = []
    /// The way to log the lines of stdin; `nil` for a single record.
    var input: StandardInputLogger?
    /// The logger's name; empty for none.
    var logger = ""
    /// The configuration; `nil` for that of `TAFFRAIL_CONFIG`, if any.
    var config: String?
    /// The log file.
    var file = LogFileChoice()

    /// Logs the record, or the lines.
    ///
    /// - Throws: An `ExitCode` after the failure was reported on stderr; a `ValidationError` for wrong usage.
    func run() throws {
        if try runConfigured() { return }
        let options = try file.options(isSingle: input == nil)
        guard let input else { return try writeOne(options) }
        let sink = try FileSink(options)
        do throws(SinkError) { try sink.open() } catch {
            throw ExitCode.cannotCreate.reporting(error.reason)
        }
        let pipeline = Pipeline(sinks: [sink], level: .trace)
        pipeline.keepsAbsentSinks = true
        try input.run(into: pipeline, options.path)
    }

    /// Logs through the pipeline of a configuration. Returns `false` when none is given.
    private func runConfigured() throws -> Bool {
        #if Configuration
        if config != nil && file.isGiven {
            throw ValidationError("--config cannot be combined with --file, --rotate-size or --keep")
        }
        guard let named = config ?? (file.isGiven ? nil : Environment["TAFFRAIL_CONFIG"]) else { return false }
        guard let (path, configured) = try ConfigurationFlag.plan(named) else { return false }
        var plan = configured
        if input == nil { plan.queue.capacity = min(plan.queue.capacity, capacity) }
        let live = try ConfigurationFlag.start(plan, file: path)
        if let input {
            // The level of a configuration must not suppress the record.
            live.pipeline.level = input.parses ? live.pipeline.level : min(live.pipeline.level, level)
            try input.run(into: live.pipeline, nil)
        } else {
            live.pipeline.logger(logger).logAnyLevel(try record())
            try UnwrittenRecords.shutDown(live.pipeline)
        }
        return true
        #else
        if config != nil { throw MissingTrait.configuration }
        return false
        #endif
    }

    /// The queue's size, in bytes, for one record: allocating a larger one would take most of the command's time.
    private var capacity: Int { 256 << 10 + 16 * words.reduce(0) { $0 + $1.utf8.count } }

    /// Returns the record of the arguments.
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
            throw ExitCode.inputOutput.reporting(error.reason)
        }
    }
}

extension LogRequest {
    /// Reads the usual command line for one record: `log LEVEL MESSAGE [key=value…]` and options with a separate value.
    ///
    /// It exists because the argument parser takes most of the time of the command. `nil` for everything else, such as
    /// `--help`, `--stdin` and wrong usage, which the argument parser reads and reports; both give a command line the
    /// same meaning.
    ///
    /// - Parameter words: The arguments of the process, without its name.
    init?(_ words: [String]) {
        guard words.first == "log" else { return nil }
        var (values, options): ([String], [String: String]) = ([], [:])
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            guard word.hasPrefix("-") else {
                values.append(word)
                continue
            }
            guard Self.options.contains(word), options[word] == nil, let value = rest.popFirst(),
                !value.hasPrefix("-")
            else { return nil }
            options[word] = value
        }
        guard values.count > 1, let level = Level(name: values[0]) else { return nil }
        self.level = level
        self.words = Array(values.dropFirst())
        guard self.words.dropFirst().allSatisfy({ AttributeArgument.entry($0) != nil }) else { return nil }
        logger = options["--logger"] ?? ""
        config = options["--config"]
        file.path = options["--file"]
        if let text = options["--rotate-size"] {
            guard let size = ByteSize(text) else { return nil }
            file.rotateSize = size
        }
        if let text = options["--keep"] {
            guard let count = Int(text) else { return nil }
            file.keep = count
        }
    }

    private static let options = ["--logger", "--config", "--file", "--rotate-size", "--keep"]
}
#endif
