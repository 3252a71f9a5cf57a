#if Command && Configuration
internal import Taffrail
internal import TaffrailConfiguration
internal import TaffrailGeo
internal import TaffrailText
internal import TaffrailTransport

/// The control socket of a running program: `RUN.control` next to its queue.
final class RunControl: Sendable {
    /// The socket's path.
    let path: String
    private let server: ControlServer
    /// The registration of the home, to which a receiver also sends commands.
    private let registration: ControlCommand.Registration?

    /// Opens the socket of a running configuration; `nil` if it cannot be opened, which has been reported, or if there
    /// is no path for it; see ``problem(_:)``.
    init?(_ live: LiveConfiguration) {
        guard let path = Self.path(live) else { return nil }
        self.path = path
        ControlPath.removeDead(beside: path)
        let home = live.pipeline.runState?.directory.map { HomeControl($0) }
        if let directory = live.pipeline.runState?.directory { Home.shared.restore(from: [directory]) }
        let isTaken = live.pipeline.commandedInstances.contains(HomeControl.name)
        let registration = home.flatMap { home in
            isTaken ? nil : live.pipeline.handleCommands(for: HomeControl.name) { try home.execute($0) }
        }
        self.registration = registration
        do throws(SystemError) {
            server = try ControlServer(socket: path) { plugin, command in
                let known = Self.plugins(live, withoutHome: registration != nil)
                guard let plugin else { return try Self.execute(command, live, plugins: known) }
                if let home, plugin == HomeControl.name, !live.pipeline.commandedInstances.contains(plugin) {
                    return try home.execute(command)
                }
                guard plugin == HomeControl.name || known.contains(plugin) else {
                    let list = known.isEmpty ? "" : "; known: \(known.joined(separator: ", "))"
                    throw OptionError("plugin", "\"\(plugin)\" does not accept commands\(list)")
                }
                return try live.pipeline.execute(command, by: plugin)
            }
        } catch {
            Diagnostics.report("cannot open the control socket: \(error)")
            registration?.end()
            return nil
        }
    }

    /// Returns the path of the socket of a running configuration.
    static func path(_ live: LiveConfiguration) -> String? {
        live.pipeline.runState.flatMap { ControlPath.path(of: $0.run, in: $0.directory) }
    }

    /// Returns why a running configuration has no path for a socket, unless it has no state directory.
    static func problem(_ live: LiveConfiguration) -> String? {
        live.pipeline.runState.flatMap { ControlPath.problem(of: $0.run, in: $0.directory) }
    }

    /// Returns the plugin instances that accept commands, without the home.
    private static func plugins(_ live: LiveConfiguration, withoutHome: Bool) -> [String] {
        live.pipeline.commandedInstances.filter { !withoutHome || $0 != HomeControl.name }
    }

    /// Removes the socket.
    func close() {
        registration?.end()
        server.close()
    }

    /// Runs a command for the program itself.
    private static func execute(
        _ command: ControlCommand, _ live: LiveConfiguration, plugins: [String]
    ) throws -> ControlCommand.Answer {
        switch command.name {
        case "status":
            try command.expect()
        case "level":
            try command.expect("level", "logger")
            try setLevel(command, live.pipeline)
        default: throw command.unknown(among: "status", "level")
        }
        return ControlCommand.Answer(
            levels(live) + [
                LogValueEntry("configuration", .string(DestinationPath.resolved(live.file))),
                LogValueEntry("plugins", .array(plugins.map { .string($0) })),
            ] + run(live))
    }

    /// Sets the level of a logger or, without `logger`, of all others. Without `level`, removes a logger's level.
    private static func setLevel(_ command: ControlCommand, _ pipeline: Pipeline) throws {
        let logger = try command.text("logger") ?? ""
        var level: Level?
        if let name = try command.text("level") {
            level = Level(name: name)
            guard level != nil else {
                let names = Level.allCases.map(\.name).joined(separator: ", ")
                throw OptionError("level", "must be one of \(names), not \"\(name)\"")
            }
        }
        if logger.isEmpty {
            guard let level else { throw OptionError("level", "is missing") }
            pipeline.level = level
        } else {
            pipeline.setLevel(level, forLogger: logger)
        }
    }

    /// Returns the run, and the location of its queue: one in memory has no file that could show it.
    private static func run(_ live: LiveConfiguration) -> [LogValueEntry] {
        guard let state = live.pipeline.runState else { return [] }
        var entries = [
            LogValueEntry("run", .string("\(state.run)")),
            LogValueEntry("process", .int(Int64(ThisProcess.id))),
            LogValueEntry("queue", .string(state.ring == nil ? "memory" : "file")),
        ]
        if let directory = state.directory { entries.append(LogValueEntry("directory", .string(directory))) }
        return entries
    }

    private static func levels(_ live: LiveConfiguration) -> [LogValueEntry] {
        let (root, byName) = live.pipeline.currentLevels
        let plan = live.plan
        let names = byName.sorted { $0.key < $1.key }.map { LogValueEntry($0.key, .string($0.value.name)) }
        return [
            LogValueEntry("level", .string(root.name)), LogValueEntry("levels", .map(names)),
            LogValueEntry("until_reload", .bool(root != plan.level || byName != plan.levels)),
        ]
    }
}
#endif
