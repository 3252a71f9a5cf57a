public import Taffrail

/// The input `core-location`.
public enum CoreLocationPlugin: Plugin {
    /// Adds `core-location`; where there is no CoreLocation, it is refused when it is used.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addInput("core-location", sample: sample) { (options: CoreLocationOptions, _) in
            #if canImport(CoreLocation)
            CoreLocationInput(options)
            #else
            throw OptionError("core-location", "there is no CoreLocation on this system")
            #endif
        }
    }
}
