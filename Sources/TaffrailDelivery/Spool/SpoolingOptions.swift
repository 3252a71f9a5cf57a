package import Taffrail

/// The options of a sink that has a spool, for commands that inspect it.
package protocol SpoolingOptions: PluginOptions {
    /// Returns the spool of an instance with these options.
    func resolvedSpool(of instance: PluginInstance) -> SpoolOptions
}
