public import Taffrail

/// The options of the processor `sampling`.
public struct SamplingOptions: PluginOptions {
    /// The fraction of records to keep. From 0 (none) to 1 (all); no default.
    public var rate: Double
    /// The level from which all records are kept. Default ``Level/warning``.
    public var below: Level
    /// Only this logger and its descendants are sampled. Default `nil`: all.
    public var logger: String?

    /// Creates options.
    public init(rate: Double, below: Level = .warning, logger: String? = nil) {
        self.rate = rate
        self.below = below
        self.logger = logger
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case rate, below, logger
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init(rate: try options.decode(Double.self, forKey: .rate))
        guard (0...1).contains(rate) else { throw options.problem(.rate, "must be from 0 to 1, not \(rate)") }
        below = try options.value(.below, or: below)
        logger = try options.value(.logger)
    }
}
