public import Taffrail

/// The processor `redaction`.
public enum RedactionPlugin: Plugin {
    /// Registers `redaction`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addProcessor("redaction", sample: sample) { (options: RedactionOptions, _) in
            RedactionProcessor(options)
        }
    }
}
