public import Taffrail

/// The input `simulated`.
public enum SimulatedPlugin: Plugin {
    /// Registers `simulated`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addInput("simulated", sample: sample) { (options: SimulatedOptions, instance) in
            SimulatedInput(options, name: instance.name)
        }
    }
}
