extension ControlCommand {
    /// The registration of a plugin instance's command handler.
    public struct Registration: Sendable {
        let pipeline: Pipeline
        let handler: Pipeline.CommandHandler

        /// Unregisters the handler. Does not wait for a command that is running.
        public func end() { pipeline.commands.withLock { $0.removeAll { $0 === handler } } }
    }
}

extension Pipeline {
    /// The command handler of a plugin instance.
    final class CommandHandler: Sendable {
        let name: String
        let run: @Sendable (ControlCommand) throws -> ControlCommand.Answer

        init(_ name: String, _ run: @escaping @Sendable (ControlCommand) throws -> ControlCommand.Answer) {
            self.name = name
            self.run = run
        }
    }

    /// Registers a plugin instance for commands: `taffrail ctl NAME COMMAND`, if the program has a control socket.
    ///
    /// - Parameters:
    ///   - name: The instance's name, see ``PluginInstance/name``. A later registration replaces it.
    ///   - handler: Runs a command; called on the thread of the control socket, which it must not hold up for
    ///     long, or of another server, one command at a time. Its error is the answer's
    ///     ``ControlCommand/Answer/problem``.
    /// - Returns: The registration, to be ended with the instance.
    public func handleCommands(
        for name: String, _ handler: @escaping @Sendable (ControlCommand) throws -> ControlCommand.Answer
    ) -> ControlCommand.Registration {
        let handler = CommandHandler(name, handler)
        commands.withLock { handlers in
            handlers.removeAll { $0.name == name }
            handlers.insert(handler, at: handlers.firstIndex { $0.name > name } ?? handlers.endIndex)
        }
        return ControlCommand.Registration(pipeline: self, handler: handler)
    }

    /// The names of the plugin instances that accept commands, sorted.
    package var commandedInstances: [String] { commands.withLock { $0.map(\.name) } }

    /// Sends a command to a plugin instance, after those that are running.
    ///
    /// - Throws: The handler's error, and ``OptionError`` if no instance has the name.
    package func execute(_ command: ControlCommand, by name: String) throws -> ControlCommand.Answer {
        guard let handler = commands.withLock({ $0.first { $0.name == name } }) else {
            let names = commandedInstances.joined(separator: ", ")
            let known = names.isEmpty ? "" : "; known: \(names)"
            throw OptionError("plugin", "\"\(name)\" does not accept commands\(known)")
        }
        return try commandTurn.withLock { _ in try handler.run(command) }
    }
}
