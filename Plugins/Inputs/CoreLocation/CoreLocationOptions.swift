public import Taffrail

/// The options of the input `core-location`.
public struct CoreLocationOptions: PluginOptions {
    /// How exact positions shall be, in metres; 0, the default: as exact as can be. From 0 to 3000.
    public var accuracy: Double
    /// How far one must move before the next fix, in metres; 0, the default: every fix. From 0 to 100000.
    public var distance: Double

    /// Makes options.
    public init(accuracy: Double = 0, distance: Double = 0) {
        self.accuracy = accuracy
        self.distance = distance
    }

    private enum CodingKeys: String, CodingKey, CaseIterable { case accuracy, distance }

    /// Reads options.
    public init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        accuracy = try options.value(.accuracy, or: accuracy, in: 0...3_000)
        distance = try options.value(.distance, or: distance, in: 0...100_000)
    }
}
