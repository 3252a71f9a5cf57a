public import Taffrail
public import TaffrailGeo
internal import TaffrailTransport

/// Positions from a receiver that speaks NMEA 0183: each fix a record with event name `geo.location`, each loss of one
/// `geo.error`.
///
/// What is logged is also published in a feed, to which a ``LocationManager`` listens.
public struct NMEAInput: Input {
    private let settings: NMEAClient.Settings
    private let feed: LocationFeed

    /// No receiver can have been right about a day before the year this was written in: 2026-01-01.
    static let earliest = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    /// Makes an input; it opens its source when it runs.
    ///
    /// - Throws: ``OptionError`` for a source that cannot be understood.
    public init(_ options: NMEAOptions, feed: LocationFeed = .shared) throws {
        guard let address = StreamAddress(options.source) else {
            throw OptionError("source", "\"\(options.source)\" cannot be understood")
        }
        var settings = NMEAClient.Settings(source: address)
        settings.device = options.device
        settings.silence = options.silence.nanoseconds
        var isFile = false
        if case .file = address { isFile = true }
        if options.rollover ?? !isFile { settings.notBefore = Self.earliest }
        self.settings = settings
        self.feed = feed
        feed.attachInput()
    }

    /// Logs until the task is cancelled, or the file ends; a line or connection that is lost is opened again.
    ///
    /// - Throws: When a file cannot be opened or read.
    public func run(into pipeline: Pipeline) async throws {
        let failure = FailureBox()
        await DedicatedThread.run { [settings, feed] interrupt in
            let client = NMEAClient(settings, publisher: FixPublisher(pipeline: pipeline, feed: feed), feed: feed)
            do throws(SystemError) { try client.run(interrupt) } catch { failure.set(error) }
        }
        if let error = failure.value { throw error }
    }
}
