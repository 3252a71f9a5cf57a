/// A plugin: it registers inputs, processors, context providers and sinks by name.
///
/// Plugins are compiled in: a program has a list of plugin types. `register` is called once for each, before a
/// configuration is read, on the thread that reads it. It must not open or start anything.
public protocol Plugin {
    /// Registers the plugin's names.
    ///
    /// - Throws: ``PluginRegistry/NameTaken`` if another plugin has the name.
    static func register(in registry: inout PluginRegistry) throws
}
