#if HTTP
public import Taffrail
internal import TaffrailDelivery
internal import TaffrailGeo

/// What the sink `pinger` has for the pipeline and its users: a record of each attempt by the logger `pinger`, the commands of
/// `taffrail pinger`, and repeated pings where there are no positions.
///
/// A sink cannot log into its own pipeline; this logs what the sink's uploader reports.
public final class AdaptivePingerInput: Input {
    private let name: String
    private let link: PingerLink
    /// How often it looks whether something is due.
    private static let interval = Duration.seconds(1)

    /// Creates the input of the sink with the same options and instance.
    public init(_ options: AdaptivePingerOptions, instance: PluginInstance) {
        name = instance.name
        link = PingerLink.at(options.spool(of: instance).directory)
    }

    /// Logs until the task is cancelled.
    public func run(into pipeline: Pipeline) async throws {
        let logger = pipeline.logger(Ping.logger)
        let (name, link) = (name, link)
        let registration = pipeline.handleCommands(for: name) { command in
            guard let pinger = link.pinger else { throw OptionError(name, "is not open yet") }
            return try pinger.carryOut(command)
        }
        defer { registration.end() }
        let attempts = link.attempts()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await attempt in attempts { logger.log(attempt.record, ambient: false) } }
            group.addTask {
                while !Task.isCancelled {
                    link.pinger?.tick()
                    try? await Task.sleep(for: Self.interval)
                }
            }
        }
    }
}
#endif
