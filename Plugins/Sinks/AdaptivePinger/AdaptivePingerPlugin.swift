#if HTTP
public import Taffrail
internal import TaffrailGeo

/// The sink `pinger`, with an input that logs its attempts and runs its commands.
public enum AdaptivePingerPlugin: Plugin {
    /// Registers `pinger`, `device`, and `places`, one of which may be the home.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(PlacesOptions.section, as: PlacesOptions.self)
        try registry.addSection(DeviceOptions.section, as: DeviceOptions.self)
        try registry.addSink(
            "pinger", sample: sample,
            make: { (options: AdaptivePingerOptions, instance) in AdaptivePingerSink(options, instance: instance) },
            input: { (options: AdaptivePingerOptions, instance) in AdaptivePingerInput(options, instance: instance) })
    }
}
#else
public import Taffrail

/// Needs the trait `HTTP`.
@available(*, unavailable, message: "enable the trait HTTP: .package(…, traits: [\"HTTP\"])")
public enum AdaptivePingerPlugin: Plugin {
    /// Needs the trait `HTTP`.
    public static func register(in registry: inout PluginRegistry) throws {}
}
#endif
