/// A plugin: it names its inputs, processors, context providers and sinks.
///
/// Plugins are compiled in; the composition root of a program is a list of plugin types. `register` is called once
/// for each, before a configuration is read, on the thread that reads it; it must not open or start anything.
public protocol Plugin {
    /// Adds the plugin's names.
    ///
    /// - Throws: ``PluginRegistry/NameTaken`` where another plugin has the name already.
    static func register(in registry: inout PluginRegistry) throws
}
