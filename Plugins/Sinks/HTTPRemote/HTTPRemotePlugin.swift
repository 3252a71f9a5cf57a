#if HTTP
public import Taffrail
internal import TaffrailGeo

/// The sink `http`.
public enum HTTPRemotePlugin: Plugin {
    /// Registers `http`, and `device`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(DeviceOptions.section, as: DeviceOptions.self)
        try registry.addSink("http", sample: sample) { (options: HTTPRemoteOptions, instance) in
            HTTPRemoteSink(options, instance: instance)
        }
    }
}
#else
public import Taffrail

/// Needs the trait `HTTP`.
@available(*, unavailable, message: "enable the trait HTTP: .package(…, traits: [\"HTTP\"])")
public enum HTTPRemotePlugin: Plugin {
    /// Needs the trait `HTTP`.
    public static func register(in registry: inout PluginRegistry) throws {}
}
#endif
