public import Taffrail
internal import TaffrailGeo

/// The input `nmea`.
public enum NMEAPlugin: Plugin {
    /// Registers `nmea`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addInput("nmea", sample: sample) { (options: NMEAOptions, _) in try NMEAInput(options) }
    }
}
