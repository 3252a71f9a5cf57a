internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTransport

/// The source of a ``LocationManager``'s positions.
public enum LocationSource: Sendable, Hashable {
    /// The inputs of the program's pipeline, through `LocationFeed.shared`.
    case inputs
    /// A separate connection to a gpsd.
    case gpsd(host: String = "127.0.0.1", port: Int = 2_947)
    /// A separate NMEA 0183 receiver: a serial line, `tcp://HOST:PORT`, `udp://HOST:PORT` or a file, as for the input
    /// `nmea`.
    case nmea(String)

    /// The default source: the one in `TAFFRAIL_LOCATION` (`inputs`, `gpsd://HOST:PORT` or `nmea:SOURCE`), else the
    /// inputs of the program's pipeline if it has any, else the gpsd of this machine.
    public static var standard: LocationSource {
        if let text = Environment["TAFFRAIL_LOCATION"] {
            if let source = LocationSource(text) { return source }
            Diagnostics.report("TAFFRAIL_LOCATION: \"\(text)\" is not a source")
        }
        return LocationFeed.shared.hasInputs ? .inputs : .gpsd()
    }

    /// Parses `inputs`, `gpsd://HOST:PORT` (the port is optional) or `nmea:SOURCE`.
    public init?(_ text: String) {
        if text == "inputs" {
            self = .inputs
        } else if text.hasPrefix("gpsd://") {
            guard let (host, port) = StreamAddress.hostAndPort(text.dropFirst("gpsd://".count), defaultPort: 2_947)
            else { return nil }
            self = .gpsd(host: host, port: port)
        } else if text.hasPrefix("nmea:") {
            let source = String(text.dropFirst("nmea:".count))
            guard StreamAddress(source) != nil else { return nil }
            self = .nmea(source)
        } else {
            return nil
        }
    }

    /// The path of a serial line or file; `nil` for any other source.
    package var path: String? {
        if case .nmea(let source) = self { StreamAddress(source)?.path } else { nil }
    }
}

/// A running source of a manager, on a separate thread, which stops when this is released.
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
            if error.isDenied { feed.setAuthorization(.denied) }
            feed.publish(.error(error.isDenied ? .denied("\(error)") : .locationUnknown("\(error)")))
        }
    }

    deinit { interrupt.trigger() }
}
