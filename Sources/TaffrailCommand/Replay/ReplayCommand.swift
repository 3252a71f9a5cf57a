#if Command
public import ArgumentParser
internal import Taffrail
internal import TaffrailText
public import TaffrailTracks
#if Configuration
internal import TaffrailConfiguration
#endif

/// `taffrail replay FILE`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a recording or track, optionally to other programs.",
        discussion: """
            Targets are nmea-tcp://HOST:PORT (listens), nmea-udp://HOST:PORT (sends), pty or pty:LINK, \
            gpsd://HOST[:PORT] (listens, and speaks gpsd's protocol) and stdout (NMEA). Without any, and without \
            --config, the position and speed are shown on the terminal. At the end the timing is printed on stderr.

            FILE may also be a live source, gpsd://HOST[:PORT] or nmea:SOURCE, which is forwarded to the targets until a \
            signal ends it.

            A time is a duration from the start (90, 1m30s), a time of day in UTC (14:30:05), a date and time \
            (2026-01-05T14:30:00Z) or an event (#120). On a terminal: space pauses, the arrow keys seek 10 s back and \
            forward, + and - double and halve the rate, . steps, q quits.

            Examples:
              taffrail replay drive.json --to nmea-tcp://127.0.0.1:10110 --rate 10
              taffrail replay drive.gpx --to gpsd://0.0.0.0:2947 --loop --time monotonic
              taffrail replay drive.json --config taffrail.yaml --as-fast-as-possible
              taffrail replay nmea:/dev/ttyUSB0 --to gpsd://127.0.0.1:2947
            """)

    @Argument(help: ArgumentHelp("The track; - is stdin.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("A target. May be repeated.", valueName: "target"),
        completion: .list(["nmea-tcp://", "nmea-udp://", "pty", "gpsd://", "stdout"]))
    var to: [String] = []

    @Option(help: "The speed, 0.01 to 10000 times real time.")
    var rate = 1.0

    @Flag(help: "Replay as fast as possible.")
    var asFastAsPossible = false

    @Flag(help: "Repeat from the start.")
    var loop = false

    @Option(help: ArgumentHelp("The start time, also for --loop.", valueName: "time"))
    var start: ReplayPoint?

    @Option(help: ArgumentHelp("The end time.", valueName: "time"))
    var end: ReplayPoint?

    @Option(help: "The timestamps to emit: recorded, now (as if it happened now) or monotonic (never go backwards).")
    var time = ReplayOptions.TimeMode.recorded

    @Option(help: "The format (default: from the name).")
    var format: TrackFormat?

    @Option(
        help: ArgumentHelp("Replay only the positions of this receiver (default: all).", valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("A socket for commands, as JSON lines.", valueName: "socket"), completion: .file())
    var control: String?

    @Flag(help: "Start paused; wait for the command play.")
    var paused = false

    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            "Start when this many programs are connected to each listening target.", valueName: "count"))
    var clients = 1

    @Option(
        help: ArgumentHelp("Also replay through the pipeline of a configuration.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(help: "The unit of displayed speeds: km/h (metric) or knots (nautical).")
    var units = TrackUnits.metric

    @Flag(name: .shortAndLong, help: "Show no progress and no summary.")
    var quiet = false

    private var options: ReplayOptions {
        get throws {
            var options = ReplayOptions(path: file, rate: rate, isAsFastAsPossible: asFastAsPossible, loops: loop)
            options.format = try TrackFile.source(file, format, flag: "--format")
            options.start = start
            options.end = end
            options.timeMode = time
            options.startsPaused = paused
            options.device = device
            return options
        }
    }

    /// Whether no option is given that needs a file.
    private var isPlain: Bool {
        rate == 1 && !asFastAsPossible && !loop && start == nil && end == nil && control == nil && !paused
            && config == nil && device == nil && clients == 1 && time == .recorded && format == nil
    }

    func validate() throws {
        for target in to where GeoOutputAddress(target) == nil {
            throw ValidationError(
                "\"\(target)\" is not a target; use nmea-tcp://HOST:PORT, nmea-udp://HOST:PORT, pty, gpsd://HOST:PORT, stdout"
            )
        }
        if LiveRelay.source(file) != nil {
            guard isPlain, !to.isEmpty else {
                throw ValidationError(
                    "a live source accepts only --to and --quiet; --rate, --start and --loop need a file")
            }
            return
        }
        do { try options.validate() } catch let error as OptionError { throw ValidationError("\(error)") }
    }

    func run() throws {
        StandardStream.ignoreClosedPipes()
        if let source = LiveRelay.source(file) {
            guard let failure = try LiveRelay(source, targets: to, isQuiet: quiet).run() else { return }
            throw ExitCode.inputOutput.reporting(failure)
        }
        let code = FileAccess.reading.error(at: file == "-" ? "/dev/stdin" : file)
        guard code == 0 else {
            let error = SystemError("open \(file)", code: code)
            throw ExitCode(reading: error).reporting(error)
        }
        let player = try ReplayPlayer(options)
        let session = try ReplayPresentation(
            player, targets: to, control: control, isQuiet: quiet,
            showsPositionsIn: to.isEmpty && config == nil ? units : nil)
        defer { session.close() }
        let failure = try withPipeline { pipeline in session.run(waitingFor: clients, into: pipeline) }
        TrackFile.reportWarnings(player.warnings)
        if let error = player.failure {
            let code = ExitCode(error).reporting(error)
            let count = player.status.replayed
            if count > 0 {
                let events = CountText.text(count, "event was", "events were")
                StandardStream.report("\(events) replayed before the error")
            }
            throw code
        }
        if let failure {
            throw ExitCode.inputOutput.reporting(failure)
        }
    }

    /// Calls `body` with the pipeline of the configuration, if one is given.
    private func withPipeline(_ body: (Pipeline?) -> SystemError?) throws -> SystemError? {
        #if Configuration
        guard let config, let (file, plan) = try ConfigurationFlag.plan(config) else { return body(nil) }
        let live = try ConfigurationFlag.start(plan, file: file)
        let failure = body(live.pipeline)
        try UnwrittenRecords.shutDown(live.pipeline)
        return failure
        #else
        guard config == nil else { throw MissingTrait.configuration }
        return body(nil)
        #endif
    }
}

extension ReplayPoint: ExpressibleByArgument {
    /// Parses a duration, a time or an event.
    public init?(argument: String) { self.init(argument) }
}

extension ReplayOptions.TimeMode: ExpressibleByArgument {}
#endif
