public import Taffrail

/// The sink `oslog`, on Apple's systems. Elsewhere it adds nothing, and a configuration that wants it is told so.
public enum OSLogPlugin: Plugin {
    /// Adds `oslog` where there is a unified log.
    public static func register(in registry: inout PluginRegistry) throws {
        #if canImport(OSLog)
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSink("oslog", sample: sample) { (options: OSLogOptions, instance) in
            OSLogSink(options, instance: instance)
        }
        #endif
    }
}
