internal import Taffrail
internal import TaffrailGeo
internal import TaffrailTransport

/// A running source of a manager, on a separate thread. It stops when this object is released.
final class SourceRun: Sendable {
    private let interrupt = Interrupt()

    /// Starts the source, which publishes in the feed.
    init?(_ source: LocationSource, feed: LocationFeed) {
        let publisher = FixPublisher { feed.publish($0) }
        let run: @Sendable (Interrupt) -> Void
        switch source {
        case .inputs: return nil
        case .gpsd(let host, let port):
            run = { interrupt in
                GPSDClient(.init(host: host, port: port), publisher: FixPublisher { feed.publish($0) }, feed: feed)
                    .run(interrupt)
            }
        case .nmea(let text):
            guard let address = StreamAddress(text) else {
                publisher.send(.error(.locationUnknown("\(text) is not a source")))
                return nil
            }
            run = { Self.read(address, feed, $0) }
        }
        let interrupt = interrupt
        if !DedicatedThread.start({ run(interrupt) }) {
            publisher.send(.error(.locationUnknown("cannot start a thread for \(source)")))
        }
    }

    private static func read(_ address: StreamAddress, _ feed: LocationFeed, _ interrupt: Interrupt) {
        let client = NMEAClient(.init(source: address), publisher: FixPublisher { feed.publish($0) }, feed: feed)
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
