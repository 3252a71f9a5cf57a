#if Command
internal import ArgumentParser
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailRecording
internal import TaffrailText
internal import TaffrailTracks

/// Runs a replay for the command: its targets, its control socket, its line on the terminal, and the signals that end
/// it.
final class ReplayPresentation {
    private let player: ReplayPlayer
    private let outputs: [any GeoOutput]
    private var control: ReplayControl?
    private let interrupt = Interrupt()
    private let isQuiet: Bool
    private var screen: ReplayScreen?

    /// Opens everything.
    ///
    /// - Parameter units: The units in which positions are shown if there is no target; `nil`: they have another
    ///   destination.
    /// - Throws: Exit status 73 when something cannot be opened, which has been reported on stderr.
    init(
        _ player: ReplayPlayer, targets: [String], control: String?, isQuiet: Bool, showsPositionsIn units: TrackUnits?
    ) throws {
        self.player = player
        self.isQuiet = isQuiet
        outputs = try ReplayTargets.open(targets, device: player.options.firstDevice)
        do throws(SystemError) {
            if let control { self.control = try ReplayControl(player, socket: control) }
        } catch { throw ExitCode.cannotCreate.reporting(error) }
        let writesToTerminal =
            targets.contains { GeoOutputAddress($0) == .standardOutput } && StandardStream.isTerminal(1)
        if !isQuiet && StandardStream.isTerminal(2) && !writesToTerminal {
            screen = ReplayScreen(player, interrupt, showsPositionsIn: units)
        } else if units != nil && !StandardStream.isTerminal(2) {
            report("no target given; use --to to send the positions to one")
        }
        for output in outputs where output.listeners != nil { report("at \(output.name)") }
    }

    private func report(_ line: String) { if !isQuiet { StandardStream.report(line) } }

    /// Replays to the end.
    ///
    /// - Returns: The error of a failed target.
    func run(waitingFor clients: Int, into pipeline: Pipeline?) -> SystemError? {
        watchSignals()
        for output in outputs { output.wait(for: clients, interrupt) }
        guard !interrupt.isTriggered else { return nil }
        screen?.start()
        let publisher = pipeline.map { ReplayPublisher(player, into: $0) }
        defer { publisher?.end() }
        var failure: SystemError?
        var count = 0
        let begin = SystemClock.monotonicNanoseconds()
        do throws(RecordingError) {
            try player.run(prepare: { [outputs, interrupt] in Self.prepare(outputs, for: $0, interrupt) }) { event in
                publisher?.send(event.event)
                screen?.take(event.event)
                do throws(SystemError) {
                    for output in outputs { try output.send(event) }
                } catch {
                    failure = error
                    player.stop()
                }
                count += 1
                if player.options.isAsFastAsPossible && count % 256 == 0 { drain() }
            }
        } catch {
            // Reported as the player's ``ReplayPlayer/failure``.
        }
        let duration = Duration.nanoseconds(SystemClock.monotonicNanoseconds() - begin)
        for output in outputs { output.waitUntilDrained(interrupt, timeout: .seconds(2)) }
        screen?.stop()
        report(duration)
        return failure
    }

    /// Opens all targets concurrently: a pseudo-terminal takes seconds.
    private static func prepare(_ outputs: [any GeoOutput], for first: Timestamp, _ interrupt: Interrupt) {
        let done = outputs.map { output in
            let isDone = Interrupt()
            let isStarted = DedicatedThread.start {
                output.prepare(for: first, interrupt)
                isDone.trigger()
            }
            if !isStarted { isDone.trigger() }
            return isDone
        }
        for isDone in done { _ = isDone.wait(timeout: nil) }
    }

    private func drain() { for output in outputs { output.waitUntilDrained(interrupt) } }

    private func report(_ duration: Duration) {
        guard player.timing.count == 0 else { return report("\(player.timing)") }
        let count = player.status.replayed
        let rate = Int(Double(count) / max(duration / .seconds(1), 1e-9))
        report("\(CountText.text(count, "event")) in \(Int(duration / .milliseconds(1))) ms, \(rate) a second")
    }

    private func watchSignals() {
        guard let signals = SignalPipe(SignalPipe.endings) else { return }
        _ = DedicatedThread.start { [player, interrupt] in
            _ = signals.next()
            interrupt.trigger()
            player.stop()
        }
    }

    /// Closes everything.
    func close() {
        screen?.stop()
        control?.close()
        for output in outputs { output.close() }
    }
}
#endif
