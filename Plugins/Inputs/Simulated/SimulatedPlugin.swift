public import Taffrail
internal import TaffrailGeo

/// The input `simulated`.
public enum SimulatedPlugin: Plugin {
    /// Registers `simulated`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addInput("simulated", sample: sample) { (options: SimulatedOptions, instance) in
            input(options, instance)
        }
    }

    /// Creates an input with the positions of its instance.
    static func input(_ options: SimulatedOptions, _ instance: PluginInstance) -> SimulatedInput<ContinuousClock> {
        SimulatedInput(options, name: instance.name, locations: .named(instance.name))
    }
}
