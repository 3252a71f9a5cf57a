public import Taffrail
internal import TaffrailGeo

/// The sink `alerts`, with an input that logs its alerts.
public enum AlertsPlugin: Plugin {
    /// Registers `alerts`, and `device`.
    public static func register(in registry: inout PluginRegistry) throws {
        let sample = String(decoding: PackageResources.sample_yaml, as: UTF8.self)
        try registry.addSection(DeviceOptions.section, as: DeviceOptions.self)
        try registry.addSink(
            "alerts", sample: sample,
            make: { (options: AlertsOptions, instance) in AlertsSink(options, instance: instance) },
            input: { (options: AlertsOptions, instance) in AlertsInput(options, instance: instance) })
    }
}
