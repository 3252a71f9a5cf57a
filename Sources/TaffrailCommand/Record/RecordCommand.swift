#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGPSD
internal import TaffrailGeo
internal import TaffrailGeoRecorder
internal import TaffrailLocationManager
internal import TaffrailNMEA
internal import TaffrailRecording
internal import TaffrailText

/// `taffrail record --from SOURCE [--directory DIR] [--duration DURATION]`.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record positions into a file that is complete JSON at any time.",
        discussion: """
            It ends on SIGINT or SIGTERM, after --duration, or at the end of a file. If the receiver is lost, \
            recording pauses, leaving a gap. On a terminal it shows the progress and, before the first position, the \
            reason for waiting, which is also printed on stderr. The last line on stdout is the file's path. The exit \
            status is 69 if no position was received, even if it recorded some that a killed run had left in its queue.

            Examples:
              taffrail record --from gpsd://127.0.0.1:2947 --directory drives
              taffrail record --from nmea:/dev/ttyUSB0 --duration 10m
              taffrail record --from nmea:log.nmea --directory drives
            """)

    @Option(
        help: ArgumentHelp(
            "gpsd://HOST:PORT, or nmea: followed by a file, a serial line, tcp:// or udp://.", valueName: "source"),
        completion: .list(["gpsd://127.0.0.1:2947", "nmea:"]))
    var from: String

    @Option(help: RecordingsFlags.directoryHelp, completion: .directory)
    var directory: String?

    @Option(
        help: ArgumentHelp(
            "Record only this receiver of gpsd, such as /dev/ttyACM0 (default: all); with nmea: the receiver's name.",
            valueName: "device"))
    var device: String?

    @Option(
        help: ArgumentHelp("Stop after this time, such as 10s (default: no limit).", valueName: "duration"),
        transform: {
            guard let duration = DurationText.duration($0) else {
                throw ValidationError("must be a duration such as 10s")
            }
            return duration
        })
    var duration: Duration?

    @Option(
        help: ArgumentHelp(
            "Leave out positions that are nearer than this to the last recorded one, such as 10 or 10m (default: none).",
            valueName: "metres"),
        transform: {
            let digits = $0.hasSuffix("m") ? String($0.dropLast()) : $0
            guard let metres = DecimalText.double(digits), (0...100_000).contains(metres) else {
                throw ValidationError("must be from 0 to 100000 metres, such as 10")
            }
            return metres
        })
    var minMove: Double?

    func validate() throws {
        if let directory, let problem = PathText.problem(directory) { throw ValidationError("--directory: \(problem)") }
        _ = try input()
    }

    private func input() throws -> any Input {
        switch LocationSource(from) {
        case .gpsd(let host, let port)?: return GPSDInput(GPSDOptions(host: host, port: port, device: device))
        case .nmea(let source)?: return try NMEAInput(NMEAOptions(source: source, device: device))
        default: throw ValidationError("--from must be gpsd://HOST:PORT or nmea:SOURCE, not \"\(from)\"")
        }
    }

    func run() throws {
        guard let signals = SignalPipe(SignalPipe.requests) else { throw ExitCode.inputOutput }
        StandardStream.ignoreClosedPipes()
        let progress = RecordProgress(waitingFor: from)
        var options = RecordingOptions(directory: directory ?? RecordingOptions.defaultDirectory)
        options.minimumMove = minMove ?? 0
        do throws(SystemError) { try Directory.prepare(options.directory) } catch {
            throw ExitCode.cannotCreate.reporting("cannot record: \(error)")
        }
        let sink = RecordProgressSink(GeoRecorderSink(GeoRecorderOptions(options)), progress)
        let pipeline = Pipeline(sinks: [sink])
        pipeline.keepsAbsentSinks = true
        pipeline.begin()
        let listener = LocationFeed.shared.subscribe(event: { progress.take($0) })
        let input = try input()
        let task = Task {
            do { try await input.run(into: pipeline) } catch { progress.fail("\(error)") }
            progress.end()
        }
        wait(for: signals, progress)
        task.cancel()
        while !progress.hasEnded { SystemClock.sleep(for: .milliseconds(5)) }
        withExtendedLifetime(listener) {}
        let isWritten = pipeline.shutdown()
        progress.show(isLast: true)
        try report(progress, isWritten: isWritten)
    }

    /// The time between two updates of the progress.
    private static let step = Duration.milliseconds(250)

    /// Shows progress until the end.
    private func wait(for signals: SignalPipe, _ progress: RecordProgress) {
        let end = duration.map { SystemClock.monotonicNanoseconds(after: $0) }
        while !progress.hasEnded {
            if let end, SystemClock.monotonicNanoseconds() >= end { return }
            let rest = end.map { Duration.nanoseconds($0 - SystemClock.monotonicNanoseconds()) }
            if signals.next(timeout: min(rest ?? Self.step, Self.step)) != nil { return }
            progress.show()
        }
    }

    private func report(_ progress: RecordProgress, isWritten: Bool) throws {
        for path in progress.paths where FileName.exists(path) { print(path) }
        if let failure = progress.inputFailure {
            throw ExitCode.noInput.reporting(failure)
        }
        guard isWritten else {
            StandardStream.report(
                "some records could not be written: \(progress.failure ?? "the queue is not empty")")
            throw progress.paths.isEmpty ? ExitCode.cannotCreate : ExitCode.inputOutput
        }
        guard progress.lostEvents == 0 else {
            let count = CountText.text(progress.lostEvents, "event was", "events were")
            throw ExitCode.inputOutput.reporting("\(count) in recordings that were deleted")
        }
        guard progress.fixes > 0 else {
            let count = progress.recoveredPositions
            StandardStream.report(
                "no position was received: \(progress.waiting)"
                    + (count > 0 ? "; \(Self.recovered(count)) recorded" : ""))
            throw ExitCode.unavailable
        }
    }

    private static func recovered(_ count: Int) -> String {
        let origin = "from the queue of an earlier run"
        return CountText.text(count, "position \(origin) was", "positions \(origin) were")
    }
}
#endif
