#if Command
internal import ArgumentParser
internal import Taffrail
#if Configuration
internal import TaffrailConfiguration
#endif
internal import TaffrailReading
internal import TaffrailTransport

/// The options that name a running program.
struct ControlFlags: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The program's configuration (default: as for run).", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    @Option(
        name: .long, help: ArgumentHelp("The directory of the program's log.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    @Option(name: .long, help: ArgumentHelp("The control socket.", valueName: "path"), completion: .file())
    var socket: String?

    /// Connects to the program.
    ///
    /// - Returns: `nil` if none is running, and no socket is named.
    /// - Throws: An exit status, after a report.
    func connect() throws -> ControlClient? {
        let paths = try socket.map { [$0] } ?? search().sockets
        var clients: [(path: String, client: ControlClient)] = []
        var failure: SystemError?
        for path in paths {
            do throws(SystemError) { clients.append((path, try ControlClient(socket: path))) } catch {
                failure = error
            }
        }
        guard let first = clients.first else {
            guard socket != nil, let failure else { return nil }
            // The socket of a dead program remains, and refuses connections.
            throw (failure.isDenied ? ExitCode.noPermission : .noInput).reporting(failure)
        }
        guard clients.count == 1 else {
            let list = clients.map { "--socket \($0.path)" }.joined(separator: "\n  ")
            throw ExitCode.validationFailure.reporting("several programs are running; choose one:\n  \(list)")
        }
        return first.client
    }

    /// Returns the possible state directories of the program's runs.
    func directories() throws -> [String] { try search().directories }

    /// Sends a command to the program, and prints the fields of its answer.
    ///
    /// - Parameters:
    ///   - plugin: The plugin that the command is for; `nil`: the program.
    ///   - printsLine: Whether the answer is printed unchanged, as a line of JSON.
    /// - Throws: An exit status, after a report.
    func ask(_ command: ControlCommand, of plugin: String?, printsLine: Bool) throws {
        guard let client = try connect() else {
            throw ExitCode.noInput.reporting(try absence())
        }
        let (answer, line): (ControlCommand.Answer, String)
        do throws(SystemError) { (answer, line) = try client.ask(command, of: plugin) } catch {
            throw ExitCode.inputOutput.reporting(error)
        }
        if printsLine { print(line) }
        if let problem = answer.problem {
            throw ExitCode.dataError.reporting(problem)
        }
        if !printsLine { for field in answer.fields { print("\(field.key) \(CtlWords.text(field.value))") } }
    }

    /// Returns the reason why there is no socket.
    func absence() throws -> String { try search().absence }

    private func search() throws -> Search {
        if let directory { return Search(directories: [QueueStatus.stateDirectory(of: directory)]) }
        #if Configuration
        let (file, plan) = try ConfigurationFlag.requiredPlan(config)
        return Search(directories: plan.stateDirectories, configuration: file)
        #else
        throw MissingTrait.configuration
        #endif
    }

    /// The directories to search for the sockets of a program.
    private struct Search {
        /// The possible state directories of its runs.
        var directories: [String] = []
        var configuration: String?

        var sockets: [String] { ControlPath.sockets(in: directories, configuration: configuration) }

        /// The reason why there is no socket.
        var absence: String {
            for directory in directories {
                let queues = (try? QueueStatus.read(directory: directory).queues) ?? []
                if let queue = queues.first(where: \.isAlive) {
                    return
                        "process \(queue.processID) logs to \(Directory.parent(of: directory) ?? "/") without a control "
                        + "socket; only programs started by taffrail run have one"
                }
            }
            let searched = directories + (Environment["XDG_RUNTIME_DIR"].map { [$0] } ?? [])
            let list = searched.isEmpty ? "" : "; looked in \(searched.joined(separator: ", "))"
            return "no program with a control socket is running\(list)"
        }
    }
}
#endif
