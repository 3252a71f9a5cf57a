internal import TaffrailText

/// A connection to gpsd, and the data to use.
public struct GPSDOptions: Sendable, Hashable {
    /// The host of a gpsd on this machine.
    public static let defaultHost = "127.0.0.1"
    /// The port that gpsd listens on by default.
    public static let defaultPort = 2_947

    /// The host of gpsd. Default `127.0.0.1`.
    public var host: String
    /// The port of gpsd. From 1 to 65535. Default 2947.
    public var port: Int
    /// The path of the only device to use, such as `/dev/ttyACM0`. Default `nil`: all.
    public var device: String?
    /// How long to collect reports of one epoch; 0 logs every report. From 0 to 2 s. Default 1 s.
    public var window: Duration
    /// The silence after which a receiver counts as lost. From 1 s to 1 h. Default 10 s.
    public var silence: Duration
    /// Whether readings of compasses, gyroscopes and accelerometers become records too. Default `false`.
    public var motion: Bool
    /// Whether to open the source only while parts of the program request positions, at the requested rate.
    /// Default `false`: always.
    public var onDemand: Bool

    /// Creates options.
    public init(
        host: String = defaultHost, port: Int = defaultPort, device: String? = nil, window: Duration = .seconds(1),
        silence: Duration = .seconds(10), onDemand: Bool = false, motion: Bool = false
    ) {
        self.host = host
        self.port = port
        self.device = device
        self.window = window
        self.silence = silence
        self.onDemand = onDemand
        self.motion = motion
    }

    /// The host and the port; an IPv6 address is in brackets.
    package var address: String { HostAndPort.text(host, port) }

    /// The name of the source for authorization.
    package var source: String { "gpsd://\(address)" }
}
