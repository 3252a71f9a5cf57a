#if Journald
public import Taffrail

/// The sink `journald`.
public enum JournaldPlugin: Plugin {
    /// Registers `journald`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSink("journald", sample: sample) { (options: JournaldOptions, instance) in
            JournaldSink(options, instance: instance)
        }
    }
}
#else
public import Taffrail

/// Needs the trait `Journald`.
@available(*, unavailable, message: "enable the trait Journald: .package(…, traits: [\"Journald\"])")
public enum JournaldPlugin: Plugin {
    /// Needs the trait `Journald`.
    public static func register(in registry: inout PluginRegistry) throws {}
}
#endif
