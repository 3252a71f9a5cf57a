public import Taffrail
public import TaffrailGeo
internal import TaffrailTransport

/// The options of the input `nmea`.
extension NMEAOptions: PluginOptions {
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
