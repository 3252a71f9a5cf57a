#if HTTP
public import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo
internal import TaffrailText

/// The input of the sink `pinger`: it logs each attempt with the logger `pinger`, runs the commands of
/// `taffrail pinger`, and performs work that is due while no positions arrive.
///
/// A sink cannot log into its own pipeline; this input logs the reports of the sink's uploader. Attempts made before it
/// runs are logged when it starts; attempts made after it has ended, such as a program's last requests, are not logged.
public final class AdaptivePingerInput: Input {
    private let name: String
    private let link: PingerLink
    /// The time between two checks for due work.
    private static let interval = Duration.seconds(1)

    /// Creates the input of the sink with the same options and instance.
    public init(_ options: AdaptivePingerOptions, instance: PluginInstance) {
        name = instance.name
        link = PingerLink.at(options.resolvedSpool(of: instance).directory)
    }

    /// Logs until the task is cancelled.
    public func run(into pipeline: Pipeline) async throws {
        let logger = pipeline.logger(Ping.logger)
        let (name, link) = (name, link)
        let registration = pipeline.handleCommands(for: name) { command in
            guard let pinger = link.pinger else { throw OptionError(name, "is not open yet") }
            return try pinger.execute(command)
        }
        defer { registration.end() }
        // Separate threads, because the driver of a battery may hang.
        let end = Interrupt()
        defer { end.trigger() }
        for work: @Sendable (Pinger) -> Void in [{ $0.tick() }, { $0.battery.refresh() }] {
            let isStarted = DedicatedThread.start(takesSignals: false) {
                repeat { link.pinger.map(work) } while end.wait(timeout: Self.interval) == .timeout
            }
            if !isStarted {
                Diagnostics.report("\(name): cannot start a thread, so heartbeats or battery levels are missing")
            }
        }
        for await _ in link.wakes.listen() {
            // Attempts that are not logged before cancellation are logged by the next input.
            let (attempts, dropped) = link.takeAttempts()
            if dropped > 0 { Diagnostics.report("\(name): \(dropped) attempts were not logged: too many were pending") }
            // Ambient attributes would be the current ones, and may contain coordinates.
            for attempt in attempts { logger.log(attempt.record, ambient: false) }
        }
    }
}
#endif
