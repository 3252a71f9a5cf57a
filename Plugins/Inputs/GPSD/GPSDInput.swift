public import Taffrail
public import TaffrailGeo
internal import TaffrailText

/// Positions from gpsd: each fix becomes a record with event name `geo.location`, each loss of the fix a `geo.error`.
///
/// The events are also published in a feed, which a ``LocationManager`` can listen to.
public struct GPSDInput: Input {
    private let options: GPSDOptions
    private let feed: LocationFeed

    /// Creates an input, which connects when it runs.
    public init(_ options: GPSDOptions = GPSDOptions(), feed: LocationFeed = .shared) {
        self.options = options
        self.feed = feed
        feed.attachInput()
    }

    /// Logs until the task is cancelled. Reconnects when the connection is lost.
    public func run(into pipeline: Pipeline) async throws {
        let source = DemandedSource(feed, isOnDemand: options.onDemand)
        await source.run { [options, feed] in
            let publisher = FixPublisher(pipeline: pipeline, feed: feed, demand: source)
            let client = GPSDClient(options, publisher: publisher, feed: feed)
            return { client.run($0) }
        }
        feed.forgetAuthorization(of: options.source)
    }
}
