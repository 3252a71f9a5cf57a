/// An instance of a plugin in a pipeline, as passed to its factory.
public struct PluginInstance: Sendable, Hashable {
    /// The kind of part that a plugin adds to a pipeline.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A source of records, such as a GPS receiver.
        case input
        /// Changes or drops records.
        case processor
        /// Ambient attributes.
        case context
        /// A destination of records.
        case sink
        /// Keeps, changes or drops attributes before they reach the queue. Its name is a top-level key of a
        /// configuration, such as `privacy`.
        case attributeGuard = "guard"
        /// A top-level key of a configuration that the options of plugins refer to, such as `places`.
        case section
    }

    /// The instance's name: the key in the configuration, unique within a pipeline. A sink returns it as its
    /// ``Sink/name``.
    public var name: String
    /// The absolute path of the log's directory; state is stored in its `.taffrail`. If the options have
    /// ``PluginOptions/keepsStateBesideLog``, it is the directory of the first `file` sink, otherwise the default log
    /// directory.
    public var logDirectory: String
    /// The name of that sink's log in its directory, where several programs may have theirs; otherwise `nil`.
    public var log: String?
    /// The program's name, without its directory.
    public var program: String

    /// Creates an instance.
    public init(name: String, logDirectory: String, program: String) {
        self.name = name
        self.logDirectory = logDirectory
        self.program = program
    }

    /// Creates an instance with a name in this program: next to the log of a program without a configuration.
    public init(named name: String) {
        let program = Environment.program
        let directory = Directory.parent(of: DefaultLog.path(program: program)) ?? "."
        self.init(name: name, logDirectory: directory, program: program)
    }
}
