import Glibc
import Taffrail
import TaffrailTestSupport

// A program that the tests kill, fork and end in other ways. Its first argument selects the action, the second names
// its log; see `Program` in the tests.

// Under libfaketime the command line reads as empty; then the environment has it.
let arguments =
    CommandLine.arguments.isEmpty
    ? (getenv("SUBJECT_ARGUMENTS").map { String(cString: $0) } ?? "").split(separator: "|").map(String.init)
    : CommandLine.arguments
guard arguments.count >= 3 else {
    say("usage: taffrail-test-subject MODE LOG [ARGUMENT…]")
    exit(64)
}
let options = FileOptions(path: arguments[2], rotate: RotationOptions(size: .kibibytes(256), keep: nil))
// On a busy machine the writer may have to wait longer for a processor. These modes have a child whose records stay in
// its queue, which takes all of the time.
if !["fork-store", "fork-pinger", "steps-http"].contains(arguments[1]) {
    Lifecycle.limit.withLock { $0 = .seconds(60) }
}

switch arguments[1] {
case "flood":
    Flood(options, page: arguments[3], round: arguments[4]).run()
case "flood-three":
    // Two log files of one base name, and a sink that stores its position; a fifth and a sixth argument say where.
    Flood(
        [
            try FileSink(options),
            try FileSink(FileOptions(path: arguments[5], rotate: RotationOptions(size: .kibibytes(256), keep: nil))),
            StoreSink(arguments[6]),
        ], page: arguments[3], round: arguments[4]
    ).run()
case "flood-four":
    // See `fourSinks`.
    Flood(
        try fourSinks(options, arguments.dropFirst(5), stutter: false), page: arguments[3], round: arguments[4],
        namesThreads: true
    ).run()
case "recover-four":
    // Only recovers what runs of "flood-four" have left.
    let pipeline = Pipeline(
        sinks: try fourSinks(options, arguments.dropFirst(5), stutter: true),
        queue: QueueOptions(capacity: 256 << 10, handleSignals: false))
    pipeline.begin()
    exit(pipeline.shutdown() ? 0 : 9)
case "flood-gzip":
    let rotate = RotationOptions(size: .kibibytes(64), keep: nil, compress: .gzip)
    // Compressions have a low priority: a flood without an end could keep them from the processor.
    let gzipped = FileOptions(path: arguments[2], rotate: rotate)
    Flood(gzipped, page: arguments[3], round: arguments[4], limit: 50_000).run()
case "flood-kept":
    // As "flood", but only a few small files are kept.
    let few = FileOptions(path: arguments[2], rotate: RotationOptions(size: .kibibytes(64), keep: 3))
    Flood(few, page: arguments[3], round: arguments[4]).run()
case "clear":
    // Empties its log, after 1,000 lines.
    let pipeline = try makePipeline(options)
    for n in 1...1000 { pipeline.logger.info("line \(n)") }
    pipeline.logger.clearLog()
    exit(pipeline.shutdown() ? 0 : 9)
case "flood-sifted":
    let sifted = try SiftedLog.pipeline(options)
    var n = 0
    while true {
        n += 1
        SiftedLog.log(n, to: sifted.logger)
    }
case "remove-filtered":
    // Takes its second log, which gets errors only, out of the configuration, and is killed.
    try removeFilteredLog(FileOptions(path: arguments[3]), besides: options)
    kill(getpid(), SIGKILL)
case "flood-own":
    // As "flood", in a format of the program's own.
    let small = FileOptions(path: arguments[2], rotate: RotationOptions(size: .kibibytes(64), keep: nil))
    Flood([try FileSink(small, format: BarFormat())], page: arguments[3], round: arguments[4]).run()
case "last-own":
    // The next run of that program: it recovers what the killed ones have left.
    let small = FileOptions(path: arguments[2], rotate: RotationOptions(size: .kibibytes(64), keep: nil))
    let pipeline = Pipeline(sinks: [try FileSink(small, format: BarFormat())])
    pipeline.logger.warning("last\nrun", ["berth": 3])
    exit(pipeline.shutdown() ? 0 : 9)
case "exit":
    // Ends right after the last call, without a flush.
    let pipeline = try makePipeline(options)
    for n in 1...1000 { pipeline.logger.info("line \(n)") }
    exit(3)
case "return":
    let pipeline = try makePipeline(options)
    for n in 1...1000 { pipeline.logger.info("line \(n)") }
case "abort":
    let pipeline = try makePipeline(options)
    for n in 1...1000 { pipeline.logger.info("line \(n)") }
    abort()
case "abort-pattern":
    let pattern = FileOptions(path: arguments[2], rotate: options.rotate, format: .pattern, pattern: arguments[3])
    let pipeline = try makePipeline(pattern)
    for n in 1...1000 { pipeline.logger.info("line \(n)") }
    abort()
case "wait":
    // Logs, reports that, and waits for a signal.
    let pipeline = try makePipeline(options)
    for n in 1...1000 { pipeline.logger.info("line \(n)") }
    say("ready")
    while true { pause() }
case "wait-with-handler":
    signal(SIGTERM) { _ in _exit(7) }
    let pipeline = try makePipeline(options)
    pipeline.logger.info("line 1")
    say("ready")
    while true { pause() }
case "signal-child", "signal-silent-child":
    try Signals(options).signalChild(childLogs: arguments[1] == "signal-child")
case "signal-after-shutdown":
    try Signals(options).signalAfterShutdown()
case "signal-blocked":
    try Signals(options).blockSignal()
case "tick":
    try Signals(options).tick()
case "no-descriptors":
    try Descriptors(options).run()
case "fork-with-many":
    // Its second argument is any file.
    try Descriptors.forkWithMany(arguments[2])
case "fork":
    try Forks(options).run()
case "fork-held":
    try Forks.hold(options)
case "fork-turns":
    ForkTurns.takeTurns()
case "fork-always":
    try ForkTurns.log(FileOptions(path: arguments[2]))
#if Store
case "fork-store":
    try StoreFork(options).run()
#endif
#if HTTP
case "fork-pinger":
    // Its third argument is the endpoint of the pings.
    try PingerFork(options, endpoint: arguments[3]).run()
#endif
case "sample":
    runLoggerSample()
case "fork-context":
    // Parent and child log a record each, with the ambient attributes that the parent has had published.
    let pipeline = try makePipeline(FileOptions(path: arguments[2], rotate: options.rotate, format: .json))
    pipeline.add(FixedContext())
    pipeline.logger.info("parent")
    let pid = taffrailForkForTests()
    if pid == 0 {
        pipeline.logger.info("child")
        exit(0)
    }
    var status: CInt = 0
    waitpid(pid, &status, 0)
    pipeline.shutdown()
    exit(status == 0 ? 0 : 9)
case "shared":
    // `Logger.shared` with nothing but the environment.
    for n in 1...10 { Logger.shared.info("line \(n)") }
    Logger.shared.debug("not at level info")
case "count":
    // Writes its lines and ends cleanly: two of these share a file.
    let pipeline = try makePipeline(options)
    let lines = Int(arguments[3]) ?? 0
    for n in 0..<lines { pipeline.logger.info("from \(arguments[4]) n \(n)") }
    pipeline.shutdown()
case "count-hourly", "count-small":
    let every: RotationOptions.Period? = arguments[1] == "count-hourly" ? .hour : nil
    let rotate = RotationOptions(size: .kibibytes(64), every: every, keep: nil)
    let pipeline = try makePipeline(FileOptions(path: arguments[2], rotate: rotate))
    for n in 0..<(Int(arguments[3]) ?? 0) { pipeline.logger.info("from \(arguments[4]) n \(n)") }
    pipeline.shutdown()
case "steps", "steps-gzip":
    let compress: RotationOptions.Compression? = arguments[1] == "steps-gzip" ? .gzip : nil
    let small = RotationOptions(size: .kibibytes(64), keep: nil, compress: compress)
    var steps = try Steps(FileOptions(path: arguments[2], rotate: small))
    steps.run(arguments.dropFirst(3))
case "steps-with", "steps-in-memory":
    // The sinks in place of the file, and the steps.
    let queue = QueueOptions(
        capacity: 256 << 10, durable: arguments[1] == "steps-with", blockLimit: .seconds(60))
    let areForChildren = Set(arguments[3].split(separator: ",")).isSubset(of: ["file", "journald"])
    var steps = Steps(options, try makeSinks(arguments[3], options), queue, areForChildren: areForChildren)
    steps.run(arguments.dropFirst(4))
case "fork-busy":
    try BusyFork(options).run()
#if HTTP
case "steps-http":
    // Also into the sink `http`, with the address as the third argument.
    var steps = Steps(options, try httpPipeline(options, url: arguments[3]))
    steps.run(arguments.dropFirst(4))
#endif
case "open-spool":
    // The directory of a spool in place of the log.
    try openSpool(arguments[2])
case "replay-logger":
    // A recording in place of the log, and the rate.
    ReplayTeller.run(arguments[2], rate: Double(arguments[3]) ?? 1)
default:
    say("unknown mode \(arguments[1])")
    exit(64)
}

func makePipeline(_ options: FileOptions) throws -> Pipeline {
    Pipeline(sinks: [try FileSink(options)], queue: QueueOptions(capacity: 256 << 10, blockLimit: .seconds(60)))
}

/// A sink that stores its position, a log file, a log file with the records of one thread alone, and a sink that stores
/// its position and fails now and then.
///
/// - Parameters:
///   - options: Those of the first log file.
///   - places: The second log file, and the directories of the others.
///   - stutter: Whether the last one does fail.
func fourSinks(
    _ options: FileOptions, _ places: ArraySlice<String>, stutter: Bool
) throws -> sending [any Sink] {
    let places = Array(places)
    return [
        StoreSink(places[1]),
        try FileSink(options),
        try FileSink(FileOptions(path: places[0], rotate: options.rotate)).filtered(loggers: ["t1"]),
        StoreSink(places[2], name: "stutters", stutters: stutter),
    ]
}

/// The name of a ship.
struct FixedContext: ContextProvider {
    func publish(into slot: Pipeline.ContextSlot) { try? slot.publish(["ship": "Gudrun"]) }
}
