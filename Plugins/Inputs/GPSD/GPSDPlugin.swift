public import Taffrail
internal import TaffrailGeo

/// The input `gpsd`.
public enum GPSDPlugin: Plugin {
    /// Registers `gpsd`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addInput("gpsd", sample: sample) { (options: GPSDOptions, _) in GPSDInput(options) }
    }
}
