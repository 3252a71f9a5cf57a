public import Taffrail
internal import TaffrailGeo

/// The sink `geo-recorder`.
public enum GeoRecorderPlugin: Plugin {
    /// Registers `geo-recorder`, `device`, and `places`, to which its zones may refer.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(PlacesOptions.section, as: PlacesOptions.self)
        try registry.addSection(DeviceOptions.section, as: DeviceOptions.self)
        try registry.addSink("geo-recorder", sample: sample) { (options: GeoRecorderOptions, instance) in
            GeoRecorderSink(options, name: instance.name)
        }
    }
}
