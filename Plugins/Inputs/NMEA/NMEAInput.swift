public import Taffrail
public import TaffrailGeo
internal import TaffrailTransport

/// Positions from an NMEA 0183 receiver: each fix becomes a record with event name `geo.location`, each loss of it a
/// `geo.error`.
///
/// The events are also published in a feed, which a ``LocationManager`` can listen to.
public struct NMEAInput: Input {
    private let options: NMEAOptions
    private let address: StreamAddress
    private let feed: LocationFeed

    /// Creates an input, which opens its source when it runs.
    ///
    /// - Throws: ``OptionError`` for an invalid source.
    public init(_ options: NMEAOptions, feed: LocationFeed = .shared) throws {
        address = try options.address()
        self.options = options
        self.feed = feed
        feed.attachInput()
    }

    /// Logs until the task is cancelled, or a file ends. Reopens a lost line or connection.
    ///
    /// - Throws: An error if a file cannot be opened or read.
    public func run(into pipeline: Pipeline) async throws {
        let failure = Locked<SystemError?>(nil)
        let source = DemandedSource(feed, isOnDemand: options.onDemand)
        await source.run { [options, address, feed] in
            let publisher = FixPublisher(pipeline: pipeline, feed: feed, demand: source)
            let client = NMEAClient(options, at: address, publisher: publisher, feed: feed)
            return { interrupt in
                do throws(SystemError) { try client.run(interrupt) } catch { failure.withLock { $0 = error } }
            }
        }
        feed.forgetAuthorization(of: options.name(at: address))
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
