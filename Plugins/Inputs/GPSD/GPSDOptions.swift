public import Taffrail
public import TaffrailGeo

/// The options of the input `gpsd`.
extension GPSDOptions: PluginOptions {
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
