public import Taffrail
public import TaffrailGeo

/// The options of the section `privacy`.
extension PrivacyOptions: PluginOptions {
    private enum CodingKeys: String, CodingKey, CaseIterable { case zones, precision }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        zones = try options.value(.zones, or: [])
        precision = try options.value(.precision, in: 0...9)
        if zones.isEmpty && precision == nil {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: options.codingPath, debugDescription: "needs \"zones\" or \"precision\""))
        }
    }
}
