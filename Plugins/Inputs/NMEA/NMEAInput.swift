public import Taffrail
public import TaffrailGeo
internal import TaffrailTransport

/// Positions from an NMEA 0183 receiver: each fix becomes a record with event name `geo.location`, each loss of it a
/// `geo.error`.
///
/// The events are also published in a feed, which a ``LocationManager`` can listen to.
public struct NMEAInput: Input {
    private let settings: NMEAClient.Settings
    private let feed: LocationFeed
    private let isOnDemand: Bool

    /// Earlier dates are wrong: this code was written in 2026.
    static let earliest = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    /// Creates an input, which opens its source when it runs.
    ///
    /// - Throws: ``OptionError`` for an invalid source.
    public init(_ options: NMEAOptions, feed: LocationFeed = .shared) throws {
        guard let address = StreamAddress(options.source) else {
            throw OptionError("source", "\"\(options.source)\" is not a source")
        }
        var settings = NMEAClient.Settings(source: address)
        settings.device = options.device
        settings.silence = options.silence
        var isFile = false
        if case .file = address { isFile = true }
        if options.rollover ?? !isFile { settings.notBefore = Self.earliest }
        self.settings = settings
        self.feed = feed
        isOnDemand = options.onDemand
        feed.attachInput()
    }

    /// Logs until the task is cancelled, or a file ends. Reopens a lost line or connection.
    ///
    /// - Throws: An error if a file cannot be opened or read.
    public func run(into pipeline: Pipeline) async throws {
        let failure = Locked<SystemError?>(nil)
        let source = DemandedSource(feed, isOnDemand: isOnDemand)
        await source.run { [settings, feed] in
            let publisher = FixPublisher(pipeline: pipeline, feed: feed, demand: source)
            let client = NMEAClient(settings, publisher: publisher, feed: feed)
            return { interrupt in
                do throws(SystemError) { try client.run(interrupt) } catch { failure.withLock { $0 = error } }
            }
        }
        feed.forgetAuthorization(of: settings.name)
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
