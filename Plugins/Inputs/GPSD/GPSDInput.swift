public import Taffrail
public import TaffrailGeo
internal import TaffrailTransport

/// Positions from gpsd: each fix becomes a record with event name `geo.location`, each loss of the fix a `geo.error`.
///
/// The events are also published in a feed, which a ``LocationManager`` can listen to.
public struct GPSDInput: Input {
    private let settings: GPSDClient.Settings
    private let feed: LocationFeed
    private let isOnDemand: Bool

    /// Creates an input, which connects when it runs.
    public init(_ options: GPSDOptions = GPSDOptions(), feed: LocationFeed = .shared) {
        var settings = GPSDClient.Settings(host: options.host, port: options.port)
        settings.device = options.device
        settings.includesMotion = options.motion
        settings.window = options.window
        settings.silence = options.silence
        self.settings = settings
        self.feed = feed
        isOnDemand = options.onDemand
        feed.attachInput()
    }

    /// Logs until the task is cancelled. Reconnects when the connection is lost.
    public func run(into pipeline: Pipeline) async throws {
        let source = DemandedSource(feed, isOnDemand: isOnDemand)
        await source.run { [settings, feed] in
            let publisher = FixPublisher(pipeline: pipeline, feed: feed, demand: source)
            let client = GPSDClient(settings, publisher: publisher, feed: feed)
            return { client.run($0) }
        }
        feed.forgetAuthorization(of: settings.source)
    }
}
