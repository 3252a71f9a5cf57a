public import Taffrail

/// The section `device` of a configuration: the name of this device for all plugins that use one, unless their own
/// options contain another name.
public struct DeviceOptions: PluginOptions {
    /// The top-level key of the section.
    public static let section = "device"

    /// The name: 1 to 64 printable ASCII characters, with no space at either end, so that all destinations accept it.
    public var name: String

    /// Creates the section.
    public init(_ name: String) { self.name = name }

    /// Decodes the name.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer()
        name = try text.decode(String.self)
        let isPrintable = name.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isPrintable, (1...64).contains(name.utf8.count), !name.hasPrefix(" "), !name.hasSuffix(" ") else {
            throw DecodingError.dataCorruptedError(
                in: text,
                debugDescription: "must be 1 to 64 printable ASCII characters, with no space at either end")
        }
    }

    /// Returns the name in the configuration whose options are being decoded; `nil` if it has none.
    public static func name(in decoder: any Decoder) -> String? {
        PluginRegistry.Sections.section(section, as: DeviceOptions.self, in: decoder)?.name
    }
}
