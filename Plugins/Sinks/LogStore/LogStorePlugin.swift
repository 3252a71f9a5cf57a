#if Store
public import Taffrail
internal import TaffrailGeo

/// The sink `log-store`.
public enum LogStorePlugin: Plugin {
    /// Registers `log-store`, and `device`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(DeviceOptions.section, as: DeviceOptions.self)
        try registry.addSink("log-store", sample: sample) { (options: LogStoreOptions, instance) in
            LogStoreSink(options, name: instance.name)
        }
    }
}
#else
public import Taffrail

/// Needs the trait `Store`.
@available(*, unavailable, message: "enable the trait Store: .package(…, traits: [\"Store\"])")
public enum LogStorePlugin: Plugin {
    /// Needs the trait `Store`.
    public static func register(in registry: inout PluginRegistry) throws {}
}
#endif
