/// What the plugin instances of a pipeline do on command.
final class ControlHandlers: Sendable {
    typealias Handler = @Sendable (ControlCommand) throws -> ControlCommand.Answer

    private struct State {
        var handlers: [String: (number: Int, handler: Handler)] = [:]
        var nextNumber = 0
    }

    private let state = Locked(State())

    /// The names of the instances, sorted.
    var names: [String] { state.withLock { $0.handlers.keys.sorted() } }

    func add(_ name: String, _ handler: @escaping Handler) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.handlers[name] = (state.nextNumber, handler)
            return state.nextNumber
        }
    }

    /// Removes a handler, unless another has its name by now.
    func remove(_ name: String, number: Int) {
        state.withLock { state in
            if state.handlers[name]?.number == number { state.handlers[name] = nil }
        }
    }

    func handler(of name: String) -> Handler? { state.withLock { $0.handlers[name]?.handler } }
}

extension ControlCommand {
    /// The time for which a plugin instance takes commands.
    public struct Registration: Sendable {
        let handlers: ControlHandlers
        let name: String
        let number: Int

        /// Takes no more commands; one that is being carried out is not waited for.
        public func end() { handlers.remove(name, number: number) }
    }
}

extension Pipeline {
    /// Takes commands for a plugin instance: `taffrail ctl NAME COMMAND`, where the program has a control socket.
    ///
    /// - Parameters:
    ///   - name: The instance's name, see ``PluginInstance/name``. One that registers later replaces it.
    ///   - handler: Carries a command out; called on the thread of the control socket, which it must not hold up for
    ///     long, one command at a time. What it throws is the answer's ``ControlCommand/Answer/problem``.
    /// - Returns: To be ended when the instance ends.
    public func handleCommands(
        for name: String, _ handler: @escaping @Sendable (ControlCommand) throws -> ControlCommand.Answer
    ) -> ControlCommand.Registration {
        ControlCommand.Registration(handlers: commands, name: name, number: commands.add(name, handler))
    }

    /// The names of the plugin instances that take commands, sorted.
    package var commandedInstances: [String] { commands.names }

    /// Has a plugin instance carry a command out.
    ///
    /// - Throws: What it throws, and ``OptionError`` where no instance has the name.
    package func carryOut(_ command: ControlCommand, by name: String) throws -> ControlCommand.Answer {
        guard let handler = commands.handler(of: name) else {
            let known = commands.names.isEmpty ? "" : "; known: \(commands.names.joined(separator: ", "))"
            throw OptionError("plugin", "no \"\(name)\" takes commands here\(known)")
        }
        return try handler(command)
    }

    /// The levels that count now.
    package var currentLevels: (root: Level, byName: [String: Level]) {
        prepare()
        return control.registryLock.withLock { (loggers.levels.root, loggers.levels.byName) }
    }

    /// Where the state of this run lies, and the run; `nil` before the first record and after the end.
    package var runState: (directory: String?, run: RingID)? {
        control.lock.withLock {
            guard control.state == .open, let ring else { return nil }
            return (storage.directory, ring.run)
        }
    }
}
