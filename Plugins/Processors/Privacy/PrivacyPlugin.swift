public import Taffrail
internal import TaffrailGeo

/// The section `privacy`.
public enum PrivacyPlugin: Plugin {
    /// Registers `privacy`, and `places`, to which its zones refer.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(PlacesOptions.section, as: PlacesOptions.self)
        try registry.addGuard("privacy", sample: sample) { (options: PrivacyOptions, _) in PrivacyGuard(options) }
    }
}
