public import Taffrail
internal import TaffrailGeo

/// The context `geo-attributes`.
public enum GeoAttributesPlugin: Plugin {
    /// Registers `geo-attributes`, and `places`, to which one of its options refers.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(PlacesOptions.section, as: PlacesOptions.self)
        try registry.addContext("geo-attributes", sample: sample) { (options: GeoAttributesOptions, instance) in
            GeoAttributesContext(options, instance: instance, names: try options.openPlaceNames())
        }
    }
}
