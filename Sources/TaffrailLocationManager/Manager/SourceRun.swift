internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTransport

/// A running source of a manager, on a separate thread. It stops when this object is released.
final class SourceRun: Sendable {
    private let interrupt = Interrupt()

    /// A receiver that a manager opens for itself.
    enum Receiver: Sendable, Hashable, CustomStringConvertible {
        case gpsd(GPSDOptions)
        case nmea(NMEAOptions)

        /// The receiver of a source; `nil`: the inputs of the pipeline have theirs.
        init?(_ source: LocationSource) {
            switch source {
            case .inputs: return nil
            case .gpsd(let host, let port): self = .gpsd(GPSDOptions(host: host, port: port))
            case .nmea(let text): self = .nmea(NMEAOptions(source: text, rollover: false))
            }
        }

        var description: String {
            switch self {
            case .gpsd(let options): options.source
            case .nmea(let options): "nmea:\(options.source)"
            }
        }
    }

    /// Starts the source, which publishes in the feed.
    init?(_ receiver: Receiver, feed: LocationFeed) {
        let run: @Sendable (Interrupt) -> Void
        switch receiver {
        case .gpsd(let options):
            run = { interrupt in
                GPSDClient(options, publisher: FixPublisher { feed.publish($0) }, feed: feed).run(interrupt)
            }
        case .nmea(let options):
            guard let address = StreamAddress(options.source) else {
                feed.publish(.error(.locationUnknown("\(options.source) is not a source")))
                return nil
            }
            run = { Self.read(options, address, feed, $0) }
        }
        let interrupt = interrupt
        if !DedicatedThread.start({ run(interrupt) }) {
            feed.publish(.error(.locationUnknown("cannot start a thread for \(receiver)")))
        }
    }

    private static func read(
        _ options: NMEAOptions, _ address: StreamAddress, _ feed: LocationFeed, _ interrupt: Interrupt
    ) {
        let client = NMEAClient(options, at: address, publisher: FixPublisher { feed.publish($0) }, feed: feed)
        do throws(SystemError) {
            try client.run(interrupt)
            if !interrupt.isTriggered { feed.publish(.error(.locationUnknown("\(address) has ended"))) }
        } catch {
            if error.isDenied { feed.setAuthorization(.denied, of: "\(address)") }
            feed.publish(.error(error.isDenied ? .denied("\(error)") : .locationUnknown("\(error)")))
        }
    }

    deinit { interrupt.trigger() }
}
