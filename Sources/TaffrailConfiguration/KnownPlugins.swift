#if Configuration
/// The plugins that Taffrail has, for telling "never heard of" from "not in this program".
package enum KnownPlugins {
    /// How a program gets a plugin.
    struct Source {
        /// The product to depend on.
        let product: String
        /// The plugin's type.
        let type: String
        /// The package trait that guards what the plugin depends on.
        var trait: String?

        init(_ product: String, _ type: String, trait: String? = nil) {
            self.product = product
            self.type = type
            self.trait = trait
        }
    }

    static let sources: [String: Source] = [
        "file": Source("Taffrail", "FilePlugin"),
        "console": Source("TaffrailConsole", "ConsolePlugin"),
        "memory": Source("TaffrailMemory", "MemoryPlugin"),
        "journald": Source("TaffrailJournald", "JournaldPlugin", trait: "Journald"),
        "http": Source("TaffrailHTTPRemote", "HTTPRemotePlugin", trait: "HTTP"),
        "location-store": Source("TaffrailLocationStore", "LocationStorePlugin", trait: "LocationStore"),
        "geo-recorder": Source("TaffrailGeoRecorder", "GeoRecorderPlugin"),
        "geo-attributes": Source("TaffrailGeoAttributes", "GeoAttributesPlugin"),
        "pinger": Source("TaffrailAdaptivePinger", "AdaptivePingerPlugin"),
        "gpsd": Source("TaffrailGPSD", "GPSDPlugin"),
        "nmea": Source("TaffrailNMEA", "NMEAPlugin"),
        "simulated": Source("TaffrailSimulated", "SimulatedPlugin"),
        "geo-replay": Source("TaffrailGeoReplay", "GeoReplayPlugin"),
        "redaction": Source("TaffrailRedaction", "RedactionPlugin"),
        "sampling": Source("TaffrailSampling", "SamplingPlugin"),
        "filter": Source("TaffrailFilter", "FilterPlugin"),
    ]

    /// Keys at the top of a configuration that plugins bring.
    static let keys: [String: Source] = [
        "privacy": Source("TaffrailPrivacy", "PrivacyPlugin"),
        "places": Source("TaffrailPrivacy", "PrivacyPlugin"),
    ]

    /// What to do about a key at the top that is known, but brought by no registered plugin; `nil` for an unknown name.
    static func adviceForKey(_ name: String) -> String? {
        keys[name].map {
            "\"\(name)\" is not known to this program; it comes with product \($0.product) and is added by \($0.type) "
                + "in the list of plugins"
        }
    }

    /// What to do about a plugin that is known but not registered; `nil` for an unknown name.
    package static func advice(for name: String) -> String? {
        guard let source = sources[name] else { return nil }
        let trait = source.trait.map { ", with package trait \($0)," } ?? ""
        return "plugin \"\(name)\" is not part of this program; "
            + "it is in product \(source.product)\(trait) and is added by \(source.type) in the list of plugins"
    }
}
#endif
