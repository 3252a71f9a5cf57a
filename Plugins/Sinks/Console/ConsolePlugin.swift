public import Taffrail

/// The sink `console`.
public enum ConsolePlugin: Plugin {
    /// Registers `console`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSink("console", sample: sample) { (options: ConsoleOptions, instance) in
            ConsoleSink(options, name: instance.name)
        }
    }
}
