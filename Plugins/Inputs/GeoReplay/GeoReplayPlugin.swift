public import Taffrail

/// The input `geo-replay`.
public enum GeoReplayPlugin: Plugin {
    /// Registers `geo-replay`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addInput("geo-replay", sample: sample) { (options: GeoReplayOptions, instance) in
            try GeoReplayInput(options, name: instance.name)
        }
    }
}
