public import Taffrail

/// The options of the sink `memory`.
public struct MemoryOptions: PluginOptions {
    /// The number of records to keep; the oldest is discarded first. From 1 to 1,000,000. Default 1000.
    public var capacity: Int

    /// Creates options.
    public init(capacity: Int = 1000) { self.capacity = min(max(1, capacity), 1_000_000) }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case capacity
    }

    /// Decodes options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        capacity = try options.value(.capacity, or: 1000, in: 1...1_000_000)
    }
}
