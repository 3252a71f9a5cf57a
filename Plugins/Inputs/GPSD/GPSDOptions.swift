public import Taffrail

/// The options of the input `gpsd`.
public struct GPSDOptions: PluginOptions {
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
        host: String = "127.0.0.1", port: Int = 2_947, device: String? = nil, window: Duration = .seconds(1),
        silence: Duration = .seconds(10), onDemand: Bool = false,
        motion: Bool = false
    ) {
        self.host = host
        self.port = port
        self.device = device
        self.window = window
        self.silence = silence
        self.onDemand = onDemand
        self.motion = motion
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case host, port, device, window, silence, motion
        case onDemand = "on_demand"
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        host = try options.value(.host, or: host)
        guard !host.isEmpty else { throw options.problem(.host, "must not be empty") }
        port = try options.value(.port, or: port, in: 1...65_535)
        device = try options.value(.device)
        window = try options.value(.window, or: window, in: .zero ... .seconds(2))
        silence = try options.value(.silence, or: silence, in: .seconds(1) ... .hours(1))
        motion = try options.value(.motion, or: motion)
        onDemand = try options.value(.onDemand, or: onDemand)
    }
}
