/// The place of one instance of a plugin in a pipeline, handed to its factory.
public struct PluginInstance: Sendable, Hashable {
    /// What a plugin adds to a pipeline.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A source of records, such as a receiver of positions.
        case input
        /// Changes or drops records.
        case processor
        /// Ambient attributes.
        case context
        /// A destination of records.
        case sink
        /// Keeps, changes or drops attributes before they reach the queue. Its name is a key at the top of a
        /// configuration, such as `privacy`.
        case attributeGuard = "guard"
        /// A key at the top of a configuration to which the options of plugins refer, such as `places`.
        case section
    }

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

    /// Makes the place that an instance of a name has in this program: beside the log that a program without a
    /// configuration has.
    public init(named name: String) {
        let program = Environment.program
        let log = DefaultLog.path(program: program)
        let directory = log.lastIndex(of: "/").map { String(log[..<$0]) } ?? "."
        self.init(name: name, logDirectory: directory, program: program)
    }
}

extension PluginInstance {
    /// The status file of this instance, for a plugin without a state directory of its own.
    public var statusFile: SinkBook.StatusFile { SinkBook.StatusFile(of: name, in: logDirectory + "/.taffrail") }
}
