#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore
internal import TaffrailTransport
#if Configuration
internal import TaffrailConfiguration
#endif

/// A store, and where the program that may be writing it has its state.
struct StorePlace {
    var path: String
    var stateDirectories: [String]

    init(path: String, stateDirectories: [String]) {
        self.path = path
        self.stateDirectories = stateDirectories
    }

    init(_ path: String) {
        self.path = DestinationPath.resolved(path)
        stateDirectories = [(Directory.parent(of: self.path) ?? ".") + "/.taffrail"]
    }

    /// Finds the store of a sink: the one that is named, that of the configuration, else the program's own.
    ///
    /// - Parameters:
    ///   - plugin: The sink's plugin.
    ///   - store: The path that is named.
    ///   - configuration: The file that is named.
    ///   - standard: The path of the program's own.
    static func find(
        _ plugin: String, store: String?, configuration: String?, standard: String
    ) throws -> StorePlace {
        if let store { return StorePlace(store) }
        #if Configuration
        if let (file, plan) = try ConfigurationFlag.plan(configuration) {
            let sinks = plan.plugins.filter { $0.plugin.plugin == plugin }
            guard let sink = sinks.first else {
                StandardStream.complain("\(file) has no \(plugin)")
                throw ExitCode.noInput
            }
            guard sinks.count == 1 else {
                let names = sinks.map(\.name).joined(separator: ", ")
                throw ValidationError("\(file) has several stores (\(names)); name one with --store")
            }
            let instance = PluginInstance(named: sink.name)
            guard let path = sink.plugin.options.destinations(of: instance).first else { throw ExitCode.noInput }
            return StorePlace(path: path, stateDirectories: plan.stateDirectories)
        }
        #endif
        return StorePlace(standard)
    }

    /// Prints what is wrong, and returns the exit code for it.
    static func exitCode(_ error: StoreError) -> ExitCode {
        StandardStream.complain("\(error)")
        switch error.kind {
        case .missing, .denied: return .noInput
        case .corrupt, .newer, .foreign: return .dataError
        case .busy, .full, .other: return .inputOutput
        }
    }

    /// Has something done by the program that writes the store, or else by this one.
    ///
    /// - Parameter body: Does it while no other process writes.
    func carryOut(_ command: ControlCommand, _ body: () throws -> ControlCommand.Answer) throws -> ControlCommand.Answer
    {
        do {
            return try body()
        } catch let error as StoreError where error.kind == .busy {
            guard let answer = try ask(command) else { throw Self.exitCode(error) }
            if let problem = answer.problem {
                StandardStream.complain(problem)
                throw ExitCode.dataError
            }
            return answer
        } catch let error as StoreError {
            throw Self.exitCode(error)
        }
    }

    /// Sends a command to the running program that writes the store; `nil` where none is found.
    private func ask(_ command: ControlCommand) throws -> ControlCommand.Answer? {
        for socket in stateDirectories.flatMap(ControlPath.sockets) {
            guard let client = try? ControlClient(socket: socket),
                case .array(let names)? = try? client.ask(ControlCommand("status")).answer["plugins"]
            else { continue }
            // A program may have several stores, and others may be beside this one.
            for case .string(let name) in names {
                let status = try? client.ask(ControlCommand("status"), of: name).answer
                guard status?["path"] == .string(path) else { continue }
                let hour: Int64 = 3_600_000_000_000
                return try? client.ask(command, of: name, nanoseconds: hour).answer
            }
        }
        return nil
    }
}
#endif
