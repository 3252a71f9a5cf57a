public import Taffrail
internal import TaffrailTransport

/// The options of the input `nmea`.
public struct NMEAOptions: PluginOptions {
    /// The source of the sentences: `/dev/ttyUSB0`, `serial:/dev/ttyUSB0?baud=38400`, `tcp://HOST:PORT`,
    /// `udp://HOST:PORT` (listens) or the path of a file. No default.
    public var source: String
    /// The receiver's name in records. Default: the source.
    public var device: String?
    /// Whether dates before 2026 are corrected as a week number rollover. Default: `true`, for files `false`.
    public var rollover: Bool?
    /// The silence after which the receiver counts as lost. From 1 s to 1 h. Default 10 s.
    public var silence: Duration
    /// Whether to open the source only while parts of the program request positions, at the requested rate.
    /// Default `false`: always.
    public var onDemand: Bool

    /// Creates options.
    public init(
        source: String, device: String? = nil, rollover: Bool? = nil, silence: Duration = .seconds(10),
        onDemand: Bool = false
    ) {
        self.source = source
        self.device = device
        self.rollover = rollover
        self.silence = silence
        self.onDemand = onDemand
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case source, device, rollover, silence
        case onDemand = "on_demand"
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init(source: try options.decode(String.self, forKey: .source))
        guard let address = StreamAddress(source) else {
            throw options.problem(
                .source, "must be a path, serial:PATH?baud=N, tcp://HOST:PORT or udp://HOST:PORT, not \"\(source)\"")
        }
        if let problem = address.path.flatMap(PathText.problem) { throw options.problem(.source, problem) }
        device = try options.value(.device)
        rollover = try options.value(.rollover)
        silence = try options.value(.silence, or: silence, in: .seconds(1) ... .hours(1))
        onDemand = try options.value(.onDemand, or: onDemand)
        if onDemand, case .file = address {
            throw options.problem(.onDemand, "has no effect on a file")
        }
    }
}
