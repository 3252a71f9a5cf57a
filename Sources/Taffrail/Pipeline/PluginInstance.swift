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
    public var statusFile: StatusFile { StatusFile(of: name, in: logDirectory + "/.taffrail") }
}
