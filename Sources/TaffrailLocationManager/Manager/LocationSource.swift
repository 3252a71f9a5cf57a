internal import Taffrail
public import TaffrailGeo
internal import TaffrailTransport

/// The source of a ``LocationManager``'s positions.
public enum LocationSource: Sendable, Hashable {
    /// The inputs of the program's pipeline, through `LocationFeed.shared`.
    case inputs
    /// A separate connection to a gpsd.
    case gpsd(host: String = GPSDOptions.defaultHost, port: Int = GPSDOptions.defaultPort)
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
            let address = text.dropFirst("gpsd://".count)
            guard let (host, port) = StreamAddress.hostAndPort(address, defaultPort: GPSDOptions.defaultPort) else {
                return nil
            }
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
