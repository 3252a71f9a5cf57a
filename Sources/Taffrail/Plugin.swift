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

/// The place of one instance of a plugin in a pipeline, handed to its factory.
public struct PluginInstance: Sendable, Hashable {
    /// The instance's name: the key in the configuration, unique within a pipeline. A sink returns it as its
    /// ``Sink/name``.
    public var name: String
    /// The directory of the log, absolute; state goes into `.taffrail` below it.
    public var logDirectory: String
    /// The program's name, without its directory.
    public var program: String

    /// Makes an instance's place.
    public init(name: String, logDirectory: String, program: String) {
        self.name = name
        self.logDirectory = logDirectory
        self.program = program
    }
}
