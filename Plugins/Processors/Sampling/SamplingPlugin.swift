public import Taffrail

/// The processor `sampling`.
public enum SamplingPlugin: Plugin {
    /// Registers `sampling`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addProcessor("sampling", sample: sample) { (options: SamplingOptions, _) in
            SamplingProcessor(options)
        }
    }
}
