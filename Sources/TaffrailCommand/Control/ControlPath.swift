internal import Taffrail
internal import TaffrailTransport

/// Locates the control sockets of running programs.
enum ControlPath {
    private static let ending = ".control"
    /// The prefix of the names of sockets in the directory of all runs.
    private static let prefix = "taffrail-"

    /// Returns the socket of a run: in its state directory or, if that path is too long for a socket or there is none,
    /// in `$XDG_RUNTIME_DIR`; `nil` if that is not set either.
    static func path(of run: RingID, in directory: String?) -> String? {
        let name = "\(run)\(ending)"
        if let directory {
            let path = directory + "/" + name
            if path.utf8.count <= ControlServer.longestPath { return path }
        }
        guard let runtime = runtimeDirectory else { return nil }
        let path = "\(runtime)/\(prefix)\(name)"
        return path.utf8.count <= ControlServer.longestPath ? path : nil
    }

    /// Returns why a run with a state directory has no socket; `nil` if it has one.
    static func problem(of run: RingID, in directory: String?) -> String? {
        guard let directory, path(of: run, in: directory) == nil else { return nil }
        let other = runtimeDirectory == nil ? "there is no XDG_RUNTIME_DIR" : "so is that in XDG_RUNTIME_DIR"
        return "no control socket for taffrail ctl: \(directory)/\(run)\(ending) is longer than "
            + "\(ControlServer.longestPath) bytes, and \(other)"
    }

    private static var runtimeDirectory: String? {
        Environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Returns the sockets of the runs with a state directory.
    static func sockets(in directory: String) -> [String] {
        let names = Directory.names(in: directory)
        let runs = Set(names.filter { $0.hasSuffix(".ring") }.map { $0.dropLast(".ring".count) })
        let home = DestinationPath.resolved(directory)
        var found = Set(ownSockets(in: directory))
        for (run, path) in runtimeSockets where !found.contains(path) {
            // A run whose queue is in memory has no file there: it is queried.
            if runs.contains(run) || answer("directory", of: path) == home { found.insert(path) }
        }
        return found.sorted()
    }

    /// Returns the sockets of the runs with one of several state directories, or with a configuration.
    static func sockets(in directories: [String], configuration file: String?) -> [String] {
        var paths: [String] = []
        let configured = file.map(socketsOfConfiguration) ?? []
        for path in directories.flatMap(sockets(in:)) + configured where !paths.contains(path) { paths.append(path) }
        return paths
    }

    /// Returns the sockets of the runs with a configuration in the directory of all runs.
    static func socketsOfConfiguration(_ file: String) -> [String] {
        let file = DestinationPath.resolved(file)
        return runtimeSockets.map(\.path).filter { answer("configuration", of: $0) == file }
    }

    /// Returns whether a program with a configuration answers on its socket.
    static func isRunning(configuration file: String, directories: [String]) -> Bool {
        let file = DestinationPath.resolved(file)
        // Each socket is queried once: a busy program may not answer within the time limit of a search.
        return (directories.flatMap(ownSockets) + runtimeSockets.map(\.path)).contains {
            answer("configuration", of: $0, timeout: .seconds(10)) == file
        }
    }

    /// Returns the run of a socket in a state directory.
    static func run(ofSocket path: String) -> RingID? {
        guard path.hasSuffix(ending), let name = path.dropLast(ending.count).split(separator: "/").last else {
            return nil
        }
        return RingID(name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : name)
    }

    /// Returns the status of the program with a socket; `nil` if it does not answer in time, by default in a second.
    static func status(at socket: String, timeout: Duration = .seconds(1)) -> ControlCommand.Answer? {
        guard let client = try? ControlClient(socket: socket),
            let answer = try? client.ask(ControlCommand("status"), timeout: timeout).answer
        else { return nil }
        return answer.problem == nil ? answer : nil
    }

    /// Returns the sockets in a state directory.
    private static func ownSockets(in directory: String) -> [String] {
        Directory.names(in: directory).filter { $0.hasSuffix(ending) }.map { directory + "/" + $0 }
    }

    /// The sockets of runs in the directory of all runs.
    private static var runtimeSockets: [(run: Substring, path: String)] {
        guard let runtime = runtimeDirectory else { return [] }
        return Directory.names(in: runtime).filter { $0.hasPrefix(prefix) && $0.hasSuffix(ending) }.map {
            ($0.dropFirst(prefix.count).dropLast(ending.count), "\(runtime)/\($0)")
        }
    }

    /// Returns a path in the status of the program with a socket.
    private static func answer(_ name: String, of socket: String, timeout: Duration = .seconds(1)) -> String? {
        guard case .string(let path)? = status(at: socket, timeout: timeout)?[name] else { return nil }
        return DestinationPath.resolved(path)
    }

    /// Removes sockets left by killed runs.
    static func removeDead(beside path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let directory = String(path[..<slash])
        // Other programs may have sockets with this suffix in the directory of all runs.
        let isShared = directory == runtimeDirectory
        for name in Directory.names(in: directory) where name.hasSuffix(ending) {
            if isShared && !name.hasPrefix(prefix) { continue }
            LocalSocket.removeIfDead(directory + "/" + name)
        }
    }
}
