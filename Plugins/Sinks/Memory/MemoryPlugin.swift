public import Taffrail

/// The sink `memory`.
public enum MemoryPlugin: Plugin {
    /// Registers `memory`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSink("memory", sample: sample) { (options: MemoryOptions, instance) in
            MemorySink(options, name: instance.name)
        }
    }
}
