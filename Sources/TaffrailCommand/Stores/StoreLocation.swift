#if Command && Store
internal import ArgumentParser
internal import Taffrail
internal import TaffrailStore
internal import TaffrailTransport
#if Configuration
internal import TaffrailConfiguration
#endif

/// A store, and the state directory of the program that may be writing it.
struct StoreLocation {
    var path: String
    var stateDirectories: [String]
    /// The options of its sink, if it was found by a configuration.
    var options: (any PluginOptions)?

    init(path: String, stateDirectories: [String], options: (any PluginOptions)? = nil) {
        self.path = path
        self.stateDirectories = stateDirectories
        self.options = options
    }

    init(_ path: String) {
        self.path = DestinationPath.resolved(path)
        stateDirectories = [(Directory.parent(of: self.path) ?? ".") + "/.taffrail"]
    }

    /// Returns the limits of the store in the options of its sink; `nil` without a configuration.
    func retention<Retention>() -> Retention? { (options as? any RetentionOptions)?.keep as? Retention }

    /// Finds the store of a sink: the named one, that of the configuration, else the program's own.
    ///
    /// - Parameters:
    ///   - plugin: The sink's plugin.
    ///   - store: The named path.
    ///   - configuration: The named file.
    ///   - standard: The path of the program's own.
    static func find(
        _ plugin: String, store: String?, configuration: String?, standard: String
    ) throws -> StoreLocation {
        if let store { return StoreLocation(store) }
        #if Configuration
        if let (file, plan) = try ConfigurationFlag.plan(configuration) {
            let sinks = plan.plugins.filter { $0.plugin.plugin == plugin }
            guard let sink = sinks.first else {
                throw ExitCode.noInput.reporting("\(file) has no \(plugin)")
            }
            guard sinks.count == 1 else {
                let names = sinks.map(\.name).joined(separator: ", ")
                throw ValidationError("\(file) has several stores (\(names)); name one with --store")
            }
            let instance = PluginInstance(named: sink.name)
            guard let path = sink.plugin.options.destinations(of: instance).first else { throw ExitCode.noInput }
            return StoreLocation(
                path: path, stateDirectories: plan.stateDirectories, options: sink.plugin.options)
        }
        #endif
        return StoreLocation(standard)
    }

    /// The time for which another process may have the store open without answering: it may be starting or ending.
    private static let patience = Duration.seconds(5)

    /// Runs a command in the program that writes the store, or else in this one.
    ///
    /// - Parameters:
    ///   - mayBeMissing: Whether the store may be missing. Default: it must exist.
    ///   - body: Runs it while no other process writes; called again while another one has the store open and does not
    ///     answer, for five seconds at most.
    func execute(
        _ command: ControlCommand, mayBeMissing: Bool = false, _ body: () throws -> ControlCommand.Answer
    ) throws -> ControlCommand.Answer {
        guard mayBeMissing || FileName.exists(path) else {
            throw ExitCode.noInput.reporting("\(path): no such store")
        }
        var deadline: Int64?
        while true {
            do {
                return try body()
            } catch let error as StoreError where error.kind == .busy {
                if let answer = try ask(command) {
                    guard let problem = answer.problem else { return answer }
                    throw ExitCode.dataError.reporting(problem)
                }
                if deadline == nil { StandardStream.report("waiting for another process that has \(path) open") }
                let limit = deadline ?? SystemClock.monotonicNanoseconds(after: Self.patience)
                guard SystemClock.monotonicNanoseconds() < limit else { throw ExitCode(error).reporting(error) }
                deadline = limit
                SystemClock.sleep(for: .milliseconds(100))
            } catch let error as StoreError {
                throw ExitCode(error).reporting(error)
            }
        }
    }

    /// Sends a command to the running program that writes the store; `nil` if none is found.
    private func ask(_ command: ControlCommand) throws -> ControlCommand.Answer? {
        for socket in stateDirectories.flatMap(ControlPath.sockets) {
            guard let client = try? ControlClient(socket: socket),
                case .array(let names)? = try? client.ask(ControlCommand("status")).answer["plugins"]
            else { continue }
            // A program may have several stores, and others may be next to this one.
            for case .string(let name) in names {
                let status = try? client.ask(ControlCommand("status"), of: name).answer
                guard status?["path"] == .string(path) else { continue }
                return try? client.ask(command, of: name, timeout: .hours(1)).answer
            }
        }
        return nil
    }
}
#endif
