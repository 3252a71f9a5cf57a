internal import Glibc
internal import TaffrailText

/// The address of a stream of bytes.
package enum StreamAddress: Sendable, Hashable, CustomStringConvertible {
    /// A server to connect to.
    case tcp(host: String, port: Int)
    /// Datagrams: the address to listen on, or to send to.
    case udp(host: String, port: Int)
    /// A serial line, with its speed in bits per second.
    case serial(path: String, baud: Int)
    /// A file or a pipe; `-` is stdin.
    case file(path: String)

    /// Parses `tcp://HOST:PORT`, `udp://HOST:PORT`, `serial:PATH?baud=N`, `file:PATH`, or a path. A path below `/dev`
    /// is a serial line, with a default of 9600 bits per second. An IPv6 address is in brackets.
    ///
    /// - Returns: `nil` for any other text, and for a speed that serial lines do not have.
    package init?(_ text: String) {
        if let rest = Self.rest(text, "tcp://"), let (host, port) = Self.hostAndPort(rest) {
            self = .tcp(host: host, port: port)
        } else if let rest = Self.rest(text, "udp://"), let (host, port) = Self.hostAndPort(rest) {
            self = .udp(host: host, port: port)
        } else if let rest = Self.rest(text, "serial:") ?? Self.device(text) {
            guard let serial = Self.serial(rest) else { return nil }
            self = serial
        } else if let rest = Self.rest(text, "file:") {
            self = .file(path: String(rest.hasPrefix("//") ? rest.dropFirst(2) : rest))
        } else {
            guard !text.isEmpty, !text.contains("://") else { return nil }
            self = .file(path: text)
        }
    }

    private static func rest(_ text: String, _ scheme: String) -> Substring? {
        text.hasPrefix(scheme) ? text.dropFirst(scheme.count) : nil
    }

    private static func device(_ text: String) -> Substring? {
        text.hasPrefix("/dev/") && text != "/dev/stdin" ? text[...] : nil
    }

    /// Parses `HOST:PORT`.
    package static func hostAndPort(_ text: Substring, defaultPort: Int? = nil) -> (host: String, port: Int)? {
        let parts = HostAndPort(text.hasSuffix("/") ? text.dropLast() : text)
        let port = parts.port == nil ? defaultPort : parts.number.map { Int($0) }
        guard let port, port > 0, !parts.name.isEmpty else { return nil }
        return (String(parts.name), port)
    }

    private static func serial(_ text: Substring) -> StreamAddress? {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, !path.isEmpty else { return nil }
        guard parts.count == 2 else { return .serial(path: String(path), baud: 9_600) }
        guard parts[1].hasPrefix("baud="), let baud = Int(parts[1].dropFirst(5)), speeds[baud] != nil else {
            return nil
        }
        return .serial(path: String(path), baud: baud)
    }

    /// The speeds of serial lines in bits per second, and the system's numbers for them.
    static let speeds: [Int: speed_t] = [
        1_200: speed_t(B1200), 2_400: speed_t(B2400), 4_800: speed_t(B4800), 9_600: speed_t(B9600),
        19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600), 115_200: speed_t(B115200),
        230_400: speed_t(B230400), 460_800: speed_t(B460800), 921_600: speed_t(B921600),
    ]

    /// The path of a serial line, file or pipe; `nil` for a network address.
    package var path: String? {
        switch self {
        case .tcp, .udp: nil
        case .serial(let path, _), .file(let path): path
        }
    }

    /// The form that ``init(_:)`` parses.
    package var description: String {
        switch self {
        case .tcp(let host, let port): "tcp://\(HostAndPort.text(host, port))"
        case .udp(let host, let port): "udp://\(HostAndPort.text(host, port))"
        case .serial(let path, let baud): "serial:\(path)?baud=\(baud)"
        case .file(let path): StreamAddress(path) == self ? path : "file:\(path)"
        }
    }
}
