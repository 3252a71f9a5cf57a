internal import Taffrail
internal import TaffrailTransport

/// Locates the control sockets of running programs.
enum ControlPath {
    private static let ending = ".control"

    /// The socket of a run: in its state directory or, if that path is too long for a socket or there is none, in
    /// `$XDG_RUNTIME_DIR`; `nil` if that is not set either.
    static func path(of run: RingID, in directory: String?) -> String? {
        let name = "\(run)\(ending)"
        if let directory {
            let path = directory + "/" + name
            if path.utf8.count <= ControlServer.longestPath { return path }
        }
        guard let runtime = runtimeDirectory else { return nil }
        let path = "\(runtime)/taffrail-\(name)"
        return path.utf8.count <= ControlServer.longestPath ? path : nil
    }

    private static var runtimeDirectory: String? {
        Environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The sockets of the runs with a state directory.
    static func sockets(in directory: String) -> [String] {
        let names = Directory.names(in: directory)
        var found = names.filter { $0.hasSuffix(ending) }.map { directory + "/" + $0 }
        if let runtime = runtimeDirectory {
            let runs = names.filter { $0.hasSuffix(".ring") }.map { $0.dropLast(".ring".count) }
            found += runs.map { "\(runtime)/taffrail-\($0)\(ending)" }.filter { FileName.exists($0) }
        }
        return found.sorted()
    }

    /// Removes sockets left by killed runs.
    static func removeDead(beside path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let directory = String(path[..<slash])
        // Other programs may have sockets with this suffix in the directory of all runs.
        let isShared = directory == runtimeDirectory
        for name in Directory.names(in: directory) where name.hasSuffix(ending) {
            if isShared && !name.hasPrefix("taffrail-") { continue }
            LocalSocket.removeIfDead(directory + "/" + name)
        }
    }
}
