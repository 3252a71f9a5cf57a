#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailTransport

/// A log file, a recorder and a store in one program, which is killed.
@Suite(.heavy) struct StoreKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 6 : 100

    /// A directory with a program's log, recordings and store, the latter optionally on a separate disk.
    private final class Ship: Sendable {
        let folder: TemporaryDirectory
        let server: StreamServer
        let store: String
        /// The times that the receiver has sent.
        private let next = Locked(0)
        var config: String { folder.file("taffrail.yaml") }

        init(store: String? = nil) throws {
            folder = TemporaryDirectory()
            let path = store ?? folder.file("store/track.sqlite")
            self.store = path
            server = try StreamServer(host: "127.0.0.1", port: 0)
            try folder.write(
                """
                plugins:
                  nmea: { source: "tcp://127.0.0.1:\(server.port)", silence: 1h }
                  file: { path: "\(folder.file("logs/app.log"))", format: json }
                  geo-recorder: { directory: "\(folder.file("drives"))" }
                  location-store: { path: "\(path)", device: ferry }
                """, to: "taffrail.yaml")
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

        /// The fixes in the log file, by their times.
        func logged() throws -> [String] {
            folder.text("logs/app.log").split(separator: "\n").compactMap { line in
                guard line.contains("\"geo.location\"") else { return nil }
                return line.firstMatch(of: /"taffrail.geo.time":"([0-9T:-]+)/).map { String($0.1) }
            }
        }

        func recorded() throws -> [String] {
            try folder.events("drives").compactMap { $0.location.map { String("\($0.timestamp)".prefix(19)) } }
        }

        /// Those in the store, read by SQLite's own command.
        func stored() throws -> [String] {
            try sql("SELECT strftime('%Y-%m-%dT%H:%M:%S', time / 1000, 'unixepoch') FROM point ORDER BY time")
                .split(separator: "\n").map(String.init)
        }

        func sql(_ text: String) throws -> String {
            let result = try Program.run(["-readonly", store, text], of: "sqlite3")
            guard result.code == 0 else { throw SystemError("read \(store): \(result.errors)", code: EIO) }
            return result.output
        }

        func expectAllAlike() throws -> [String] {
            let logged = try logged().sorted()
            #expect(Set(logged).count == logged.count)
            #expect(try recorded().sorted() == logged)
            #expect(try stored() == logged)
            #expect(try sql("PRAGMA integrity_check; SELECT count(*) FROM point WHERE seen IS NOT NULL") == "ok\n0\n")
            #expect(
                try sql("SELECT sum(points) FROM block; SELECT sum(points) FROM session")
                    == "\(logged.count)\n\(logged.count)\n")
            return logged
        }
    }

    @Test func `SIGKILL loses and doubles no fix of file, recorder and store`() async throws {
        let ship = try Ship()
        var acknowledged: Set<String> = []
        for round in 0..<Self.rounds {
            let before = try ship.logged().count
            let program = try ship.run()
            // Some come one by one, and the last in one piece.
            let wanted = before + Int.random(in: 1...60)
            #expect(
                try await eventually {
                    ship.send(3)
                    return try ship.logged().count >= wanted
                }, "round \(round): \(ship.folder.text("errors"))")
            ship.send(Int.random(in: 0...300))
            for _ in 0..<Int.random(in: 0...3) { await Task.yield() }
            acknowledged.formUnion(try ship.logged())
            program.send(SIGKILL)
            #expect(await program.wait() == 128 + SIGKILL)
        }
        let result = try await Program.run(
            ["recover", ship.folder.file("logs"), "--config", ship.config], in: ship.folder)
        #expect(result.code == 0, "\(ship.folder.text("errors"))")
        let all = try ship.expectAllAlike()
        #expect(all.count > Self.rounds && acknowledged.subtracting(all).isEmpty)
        // A last run that ends as it should leaves one file.
        let program = try ship.run()
        #expect(
            try await eventually {
                ship.send(3)
                return try ship.logged().count > all.count
            })
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
        _ = try ship.expectAllAlike()
        #expect(try ship.sql("SELECT count(*) FROM ring") == "1\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: ship.folder.file("store"))
        #expect(!names.contains { $0.hasPrefix("track.sqlite.corrupt") }, "\(names)")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func `while the store's disk is full other sinks continue, and recovery delivers the rest`() async throws {
        let disk = try SmallDisk("3m")
        let ship = try Ship(store: disk.directory.file("track.sqlite"))
        let program = try ship.run()
        func fixes(_ count: Int) async throws {
            #expect(
                try await eventually {
                    ship.send(5)
                    return try ship.logged().count >= count
                }, "\(ship.folder.text("errors"))")
        }
        try await fixes(50)
        #expect(await eventually { (try? ship.stored().count) ?? 0 >= 50 })
        try disk.fill()
        let full = try ship.logged().count
        // The write-ahead log has some room left in its pages.
        ship.send(20_000)
        #expect(await eventually { ship.folder.text("errors").contains("cannot save positions") })
        try await fixes(full + 500)
        program.send(SIGKILL)
        #expect(await program.wait() == 128 + SIGKILL)
        disk.free()
        let result = try await Program.run(
            ["recover", ship.folder.file("logs"), "--config", ship.config], in: ship.folder)
        #expect(result.code == 0, "\(ship.folder.text("errors"))")
        _ = try ship.expectAllAlike()
    }

    @Test func `recovery works on the directory of a store without a log file`() async throws {
        let ship = try Ship()
        try ship.folder.write(
            ship.folder.text("taffrail.yaml").split(separator: "\n")
                .filter { !$0.contains("file:") && !$0.contains("recorder") }.joined(separator: "\n"),
            to: "taffrail.yaml")
        let program = try ship.run()
        #expect(
            await eventually {
                ship.send(3)
                return (try? ship.stored().count) ?? 0 > 10
            }, "\(ship.folder.text("errors"))")
        program.send(SIGKILL)
        #expect(await program.wait() == 128 + SIGKILL)
        let result = try await Program.run(
            ["recover", ship.folder.file("store"), "--config", ship.config], in: ship.folder)
        #expect(result.code == 0, "\(ship.folder.text("errors"))")
        let state = try FileManager.default.contentsOfDirectory(atPath: ship.folder.file("store/.taffrail"))
        #expect(!state.contains { $0.hasSuffix(".ring") }, "\(state)")
        #expect(try Set(ship.stored()).count == ship.stored().count)
    }
}
#endif
