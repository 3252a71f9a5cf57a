#if Store
public import Taffrail
internal import TaffrailGeo

/// The sink `location-store`.
public enum LocationStorePlugin: Plugin {
    /// Registers `location-store`, and `device`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(DeviceOptions.section, as: DeviceOptions.self)
        try registry.addSink("location-store", sample: sample) { (options: LocationStoreOptions, instance) in
            LocationStoreSink(options, name: instance.name)
        }
    }
}
#else
public import Taffrail

/// Needs the trait `Store`.
@available(*, unavailable, message: "enable the trait Store: .package(…, traits: [\"Store\"])")
public enum LocationStorePlugin: Plugin {
    /// Needs the trait `Store`.
    public static func register(in registry: inout PluginRegistry) throws {}
}
#endif
