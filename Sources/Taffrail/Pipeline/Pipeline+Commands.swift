extension ControlCommand {
    /// The registration of a plugin instance's command handler.
    public struct Registration: Sendable {
        let pipeline: Pipeline
        let name: String
        let number: Int

        /// Unregisters the handler. Does not wait for a command that is running.
        public func end() {
            pipeline.commands.withLock { commands in
                // The name may have been registered again.
                if commands.handlers[name]?.number == number { commands.handlers[name] = nil }
            }
        }
    }
}

extension Pipeline {
    /// The command handlers of the plugin instances, by name.
    struct CommandHandlers {
        var handlers: [String: (number: Int, run: @Sendable (ControlCommand) throws -> ControlCommand.Answer)] = [:]
        var lastNumber = 0
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
        commands.withLock { commands in
            commands.lastNumber += 1
            commands.handlers[name] = (commands.lastNumber, handler)
            return ControlCommand.Registration(pipeline: self, name: name, number: commands.lastNumber)
        }
    }

    /// The names of the plugin instances that accept commands, sorted.
    package var commandedInstances: [String] { commands.withLock { $0.handlers.keys.sorted() } }

    /// Sends a command to a plugin instance, after those that are running.
    ///
    /// - Throws: The handler's error, and ``OptionError`` if no instance has the name.
    package func execute(_ command: ControlCommand, by name: String) throws -> ControlCommand.Answer {
        guard let handler = commands.withLock({ $0.handlers[name]?.run }) else {
            let names = commandedInstances.joined(separator: ", ")
            throw OptionError("plugin", "no \"\(name)\" accepts commands\(names.isEmpty ? "" : "; known: \(names)")")
        }
        return try commandTurn.withLock { _ in try handler(command) }
    }
}
