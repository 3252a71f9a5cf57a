#if Configuration
/// The plugins of Taffrail, to distinguish unknown plugins from those that are not part of a program.
package enum KnownPlugins {
    /// How to add a plugin to a program.
    struct Source {
        /// The product to depend on.
        let product: String
        /// The plugin's type.
        let type: String
        /// The package trait that enables the plugin's dependencies.
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
        "location-store": Source("TaffrailLocationStore", "LocationStorePlugin", trait: "Store"),
        "log-store": Source("TaffrailLogStore", "LogStorePlugin", trait: "Store"),
        "alerts": Source("TaffrailAlerts", "AlertsPlugin"),
        "geo-recorder": Source("TaffrailGeoRecorder", "GeoRecorderPlugin"),
        "geo-attributes": Source("TaffrailGeoAttributes", "GeoAttributesPlugin"),
        "pinger": Source("TaffrailAdaptivePinger", "AdaptivePingerPlugin", trait: "HTTP"),
        "gpsd": Source("TaffrailGPSD", "GPSDPlugin"),
        "nmea": Source("TaffrailNMEA", "NMEAPlugin"),
        "simulated": Source("TaffrailSimulated", "SimulatedPlugin"),
        "geo-replay": Source("TaffrailGeoReplay", "GeoReplayPlugin"),
        "visits": Source("TaffrailVisits", "VisitsPlugin"),
        "receiver": Source("TaffrailReceiver", "ReceiverPlugin", trait: "Server"),
        "redaction": Source("TaffrailRedaction", "RedactionPlugin"),
        "sampling": Source("TaffrailSampling", "SamplingPlugin"),
        "filter": Source("TaffrailFilter", "FilterPlugin"),
    ]

    /// Top-level keys of a configuration that plugins define.
    static let keys: [String: Source] = [
        "privacy": Source("TaffrailPrivacy", "PrivacyPlugin"),
        "places": Source("TaffrailPrivacy", "PrivacyPlugin"),
        "device": Source("TaffrailGeoRecorder", "GeoRecorderPlugin"),
    ]

    /// Advice for a known top-level key that no registered plugin defines; `nil` for an unknown name.
    static func adviceForKey(_ name: String) -> String? {
        keys[name].map {
            "\"\(name)\" is not known to this program; it comes with product \($0.product) and is added by \($0.type) "
                + "in the list of plugins"
        }
    }

    /// Advice for a known plugin that is not registered; `nil` for an unknown name.
    package static func advice(for name: String) -> String? {
        guard let source = sources[name] else { return nil }
        let trait = source.trait.map { ", with package trait \($0)," } ?? ""
        return "plugin \"\(name)\" is not part of this program; "
            + "it is in product \(source.product)\(trait) and is added by \(source.type) in the list of plugins"
    }
}
#endif
