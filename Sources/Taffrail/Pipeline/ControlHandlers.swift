/// The command handlers of a pipeline's plugin instances.
final class ControlHandlers: Sendable {
    typealias Handler = @Sendable (ControlCommand) throws -> ControlCommand.Answer

    private struct State {
        var handlers: [String: (number: Int, handler: Handler)] = [:]
        var nextNumber = 0
    }

    private let state = Locked(State())
    /// Held while a command runs.
    private let turn = Locked(())

    /// The names of the instances, sorted.
    var names: [String] { state.withLock { $0.handlers.keys.sorted() } }

    func add(_ name: String, _ handler: @escaping Handler) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.handlers[name] = (state.nextNumber, handler)
            return state.nextNumber
        }
    }

    /// Removes a handler, unless its name has been registered again.
    func remove(_ name: String, number: Int) {
        state.withLock { state in
            if state.handlers[name]?.number == number { state.handlers[name] = nil }
        }
    }

    func handler(of name: String) -> Handler? { state.withLock { $0.handlers[name]?.handler } }

    /// Runs a command when no other one is running.
    func execute(_ command: ControlCommand, _ handler: Handler) throws -> ControlCommand.Answer {
        try turn.withLock { _ in try handler(command) }
    }
}

extension ControlCommand {
    /// The registration of a plugin instance's command handler.
    public struct Registration: Sendable {
        let handlers: ControlHandlers
        let name: String
        let number: Int

        /// Unregisters the handler. Does not wait for a command that is running.
        public func end() { handlers.remove(name, number: number) }
    }
}

extension Pipeline {
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
        ControlCommand.Registration(handlers: commands, name: name, number: commands.add(name, handler))
    }

    /// The names of the plugin instances that accept commands, sorted.
    package var commandedInstances: [String] { commands.names }

    /// Sends a command to a plugin instance, after those that are running.
    ///
    /// - Throws: The handler's error, and ``OptionError`` if no instance has the name.
    package func execute(_ command: ControlCommand, by name: String) throws -> ControlCommand.Answer {
        guard let handler = commands.handler(of: name) else {
            let known = commands.names.isEmpty ? "" : "; known: \(commands.names.joined(separator: ", "))"
            throw OptionError("plugin", "no \"\(name)\" accepts commands\(known)")
        }
        return try commands.execute(command, handler)
    }
}
