#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailTransport

/// A directory with a program's log, recordings and stores, one of which is looked at, and a receiver that it listens to.
final class Ship: Sendable {
    let folder: TemporaryDirectory
    let server: StreamServer
    /// The database that is looked at.
    let store: String
    /// The times that the receiver has sent.
    private let next = Locked(0)
    var config: String { folder.file("taffrail.yaml") }

    /// - Parameters:
    ///   - store: The database that is looked at, in the directory or by its absolute path.
    ///   - level: The level of the program.
    ///   - stores: The plugins beside receiver, log file and recorder, a line each.
    init(store: String, level: String = "info", _ stores: (Ship) -> [String]) throws {
        folder = TemporaryDirectory()
        self.store = store.hasPrefix("/") ? store : folder.file(store)
        server = try StreamServer(host: "127.0.0.1", port: 0)
        try folder.write(
            """
            level: \(level)
            plugins:
              nmea: { source: "tcp://127.0.0.1:\(server.port)", silence: 1h }
              file: { path: "\(folder.file("logs/app.log"))", format: json, rotate: { size: 1TiB } }
              geo-recorder: { directory: "\(folder.file("drives"))" }

            """ + stores(self).map { "  \($0)\n" }.joined(), to: "taffrail.yaml")
    }

    /// Replaces a text of the configuration.
    func configure(_ text: String, _ other: String) throws {
        let configuration = folder.text("taffrail.yaml")
        try #require(configuration.contains(text))
        try folder.write(configuration.replacing(text, with: other), to: "taffrail.yaml")
    }

    func run() throws -> Program { try Program(["run", "--config", config], in: folder) }

    /// Sends fixes that no one has had.
    func send(_ count: Int) {
        let first = next.withLock { next in
            next += count
            return next - count
        }
        server.send(Array(Receiver.sentences(first..<first + count).utf8))
    }

    /// Sends fixes until something is so.
    func send(
        _ count: Int = 3, until isSo: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let isDone = try await eventually {
            send(count)
            return try isSo()
        }
        #expect(isDone, "\(folder.text("errors"))", sourceLocation: sourceLocation)
    }

    func kill(_ program: Program) async {
        program.send(SIGKILL)
        #expect(await program.wait() == 128 + SIGKILL)
    }

    /// Recovers what was in the queue, on a directory.
    func recover(_ directory: String = "logs") async throws {
        let result = try await Program.run(["recover", folder.file(directory), "--config", config], in: folder)
        #expect(result.code == 0, "\(folder.text("errors"))")
    }

    /// The lines of the log file.
    var lines: [String] { folder.lines("logs/app.log") }

    /// How many whole lines the log file has; cheap enough to be asked again and again.
    var lineCount: Int { folder.lineCount("logs/app.log") }

    /// The output of SQLite's own command.
    func sql(_ text: String, of database: String? = nil) throws -> String {
        // The program locks the others out for a short time while it opens the database.
        let arguments = ["-readonly", "-cmd", ".timeout 30000", database ?? store, text]
        let result = try Program.run(arguments, of: "sqlite3")
        guard result.code == 0 else { throw SystemError("read \(store): \(result.errors)", code: EIO) }
        return result.output
    }
}
#endif
