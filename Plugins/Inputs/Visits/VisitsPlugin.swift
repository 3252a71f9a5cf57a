public import Taffrail
internal import TaffrailGeo

/// The input `visits`.
public enum VisitsPlugin: Plugin {
    /// Registers `visits`, and `places`, which it watches.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(PlacesOptions.section, as: PlacesOptions.self)
        try registry.addInput("visits", sample: sample) { (options: VisitsOptions, _) in VisitsInput(options) }
    }
}
