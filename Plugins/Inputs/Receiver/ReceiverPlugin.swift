#if Server
public import Taffrail
internal import TaffrailGeo

/// The input `receiver`.
public enum ReceiverPlugin: Plugin {
    /// Registers `receiver`, `device` and `places`.
    public static func register(in registry: inout PluginRegistry) throws {
        try registry.addSection(PlacesOptions.section, as: PlacesOptions.self)
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(DeviceOptions.section, as: DeviceOptions.self)
        try registry.addInput("receiver", sample: sample) { (options: ReceiverOptions, _) in
            try ReceiverInput(options)
        }
    }
}
#else
public import Taffrail

/// Requires the trait `Server`.
@available(*, unavailable, message: "enable the trait Server: .package(…, traits: [\"Server\"])")
public enum ReceiverPlugin: Plugin {
    /// Requires the trait `Server`.
    public static func register(in registry: inout PluginRegistry) throws {}
}
#endif
