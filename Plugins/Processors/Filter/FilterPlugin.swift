public import Taffrail

/// The processor `filter`.
public enum FilterPlugin: Plugin {
    /// Registers `filter`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addProcessor("filter", sample: sample) { (options: FilterOptions, _) in FilterProcessor(options) }
    }
}
