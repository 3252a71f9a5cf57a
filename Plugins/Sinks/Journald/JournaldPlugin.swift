#if Journald
public import Taffrail

/// The sink `journald`.
public enum JournaldPlugin: Plugin {
    /// Adds `journald`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSink("journald", sample: sample) { (options: JournaldOptions, instance) in
            JournaldSink(options, instance: instance)
        }
    }
}
#endif
