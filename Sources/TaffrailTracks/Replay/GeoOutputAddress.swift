package import Taffrail
internal import TaffrailGeo
internal import TaffrailTransport

/// The address of an output on the command line.
package enum GeoOutputAddress: Sendable, Hashable {
    /// A server of NMEA sentences.
    case nmeaServer(host: String, port: Int)
    /// NMEA sentences as datagrams, one per epoch.
    case nmeaDatagrams(host: String, port: Int)
    /// NMEA sentences at a pseudo-terminal, with an optional symbolic link to it.
    case terminal(link: String?)
    /// A server with gpsd's protocol.
    case gpsd(host: String, port: Int)
    /// NMEA sentences on stdout.
    case standardOutput

    /// Parses `nmea-tcp://HOST:PORT`, `nmea-udp://HOST:PORT`, `gpsd://HOST[:PORT]`, `pty`, `pty:LINK` or `stdout`.
    package init?(_ text: String) {
        switch text {
        case "stdout", "-": self = .standardOutput
        case "pty": self = .terminal(link: nil)
        case _ where text.hasPrefix("pty:") && text.count > 4: self = .terminal(link: String(text.dropFirst(4)))
        default:
            guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
            let rest = text[text.index(colon, offsetBy: 3)...]
            let isGPSD = text[..<colon] == "gpsd"
            let defaultPort = isGPSD ? GPSDOptions.defaultPort : nil
            guard let (host, port) = StreamAddress.hostAndPort(rest, defaultPort: defaultPort) else { return nil }
            switch text[..<colon] {
            case "nmea-tcp": self = .nmeaServer(host: host, port: port)
            case "nmea-udp": self = .nmeaDatagrams(host: host, port: port)
            case "gpsd": self = .gpsd(host: host, port: port)
            default: return nil
            }
        }
    }

    /// Opens the output.
    ///
    /// - Parameter device: The receiver that a server with gpsd's protocol lists from the start; `nil`: none is known.
    package func open(device: @autoclosure () -> String?) throws(SystemError) -> any GeoOutput {
        switch self {
        case .nmeaServer(let host, let port): NMEAOutput(try NMEAServerLine(host: host, port: port))
        case .nmeaDatagrams(let host, let port): NMEAOutput(try NMEADatagramLine(host: host, port: port))
        case .terminal(let link): NMEAOutput(try NMEATerminalLine(link: link))
        case .gpsd(let host, let port): try GPSDServer(host: host, port: port, device: device())
        case .standardOutput: NMEAOutput(NMEAStandardOutputLine())
        }
    }
}
