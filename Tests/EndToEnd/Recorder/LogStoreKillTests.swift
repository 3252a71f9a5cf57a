#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailTransport

/// A log file, a recorder, a store of positions and one of records in one program.
@Suite(.heavy) struct LogStoreKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 5 : 100

    private final class Ship: Sendable {
        let folder: TemporaryDirectory
        let server: StreamServer
        let store: String
        private let next = Locked(0)
        var config: String { folder.file("taffrail.yaml") }

        init(store: String? = nil) throws {
            folder = TemporaryDirectory()
            let path = store ?? folder.file("logs/logs.sqlite")
            self.store = path
            server = try StreamServer(host: "127.0.0.1", port: 0)
            try configure()
        }

        /// Writes the configuration, with a key that changes nothing but its text.
        func configure(_ change: String = "") throws {
            try folder.write(
                """
                level: debug
                plugins:
                  nmea: { source: "tcp://127.0.0.1:\(server.port)", silence: 1h }
                  file: { path: "\(folder.file("logs/app.log"))", format: json }
                  geo-recorder: { directory: "\(folder.file("drives"))" }
                  location-store: { path: "\(folder.file("store/track.sqlite"))", device: ferry }
                  log-store: { path: "\(store)", device: ferry\(change) }
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

        /// The records in the log file, as `RUN SEQ`.
        func logged() throws -> [String] {
            folder.text("logs/app.log").split(separator: "\n").compactMap { line in
                guard let sequence = line.firstMatch(of: /"seq":([0-9]+)/)?.1,
                    let run = line.firstMatch(of: /"run":"([0-9a-f]+)"/)?.1
                else { return nil }
                return "\(run) \(sequence)"
            }
        }

        func stored() throws -> [String] {
            try sql(
                "SELECT origin.name || ' ' || sequence FROM record JOIN origin ON origin.id = record.origin"
            ).split(separator: "\n").map(String.init)
        }

        func sql(_ text: String) throws -> String {
            let result = try Program.run(["-readonly", store, text], of: "sqlite3")
            guard result.code == 0 else { throw SystemError("read \(store): \(result.errors)", code: EIO) }
            return result.output
        }

        /// Requires each record of the file to be in the store once, and the store to be sound.
        @discardableResult
        func expectAlike() throws -> [String] {
            let logged = try logged().sorted()
            #expect(Set(logged).count == logged.count)
            let stored = try stored().sorted()
            #expect(stored == logged, "\(Set(stored).symmetricDifference(logged).sorted().prefix(10))")
            #expect(try sql("PRAGMA integrity_check") == "ok\n")
            // Changes nothing, but is an INSERT.
            let check = "INSERT INTO record_text(record_text, rank) VALUES('integrity-check', 1)"
            let checked = try Program.run([store, check], of: "sqlite3")
            #expect(checked.code == 0, "\(checked.errors)")
            #expect(try sql("SELECT sum(count) FROM tally WHERE span = 60") == "\(logged.count)\n")
            #expect(
                try sql("SELECT count(*) FROM record_text WHERE record_text MATCH 'location'")
                    == sql(
                        "SELECT count(*) FROM record WHERE event = (SELECT id FROM event WHERE name = 'geo.location')"))
            let fixes = try sql("SELECT count(*) FROM record WHERE lat IS NOT NULL")
            let track = try Program.run(
                ["-readonly", folder.file("store/track.sqlite"), "SELECT count(*) FROM point"], of: "sqlite3")
            #expect(track.output == fixes)
            #expect(try "\(folder.events("drives").count { $0.location != nil })\n" == fixes)
            return logged
        }
    }

    @Test func `SIGKILL and reloads lose and double no record of file, recorder and both stores`() async throws {
        let ship = try Ship()
        for round in 0..<Self.rounds {
            let before = try ship.logged().count
            let program = try ship.run()
            let wanted = before + Int.random(in: 1...60)
            #expect(
                try await eventually {
                    ship.send(3)
                    return try ship.logged().count >= wanted
                }, "round \(round): \(ship.folder.text("errors"))")
            // The new configuration has another log-store: the old one is closed, and the path is the same.
            try ship.configure(", index: [round\(round)]")
            program.send(SIGHUP)
            ship.send(Int.random(in: 0...300))
            #expect(
                try await eventually {
                    ship.send(3)
                    return try ship.logged().count >= wanted + 20
                }, "round \(round): \(ship.folder.text("errors"))")
            program.send(SIGKILL)
            #expect(await program.wait() == 128 + SIGKILL)
        }
        let result = try await Program.run(
            ["recover", ship.folder.file("logs"), "--config", ship.config], in: ship.folder)
        #expect(result.code == 0, "\(ship.folder.text("errors"))")
        #expect(try ship.expectAlike().count > Self.rounds * 20)
        // A last run that ends as it should.
        let before = try ship.logged().count
        let program = try ship.run()
        #expect(
            try await eventually {
                ship.send(3)
                return try ship.logged().count > before
            })
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
        try ship.expectAlike()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func `while the log store's disk is full other sinks continue, and recovery delivers the rest`() async throws {
        let disk = try SmallDisk("5m")
        let ship = try Ship(store: disk.directory.file("logs.sqlite"))
        let program = try ship.run()
        #expect(
            try await eventually {
                ship.send(5)
                return try ship.logged().count >= 50 && ship.stored().count >= 50
            }, "\(ship.folder.text("errors"))")
        try disk.fill()
        let full = try ship.logged().count
        ship.send(3_000)
        #expect(
            await eventually { ship.folder.text("errors").contains("cannot save records") },
            "\(ship.folder.text("errors"))")
        #expect(
            try await eventually {
                ship.send(5)
                return try ship.logged().count >= full + 500
            })
        program.send(SIGKILL)
        #expect(await program.wait() == 128 + SIGKILL)
        disk.free()
        let result = try await Program.run(
            ["recover", ship.folder.file("logs"), "--config", ship.config], in: ship.folder)
        #expect(result.code == 0, "\(ship.folder.text("errors"))")
        try ship.expectAlike()
    }

    @Test func `a forked child's records reach the parent's store by recovery`() async throws {
        let folder = TemporaryDirectory()
        let log = folder.file("app.log")
        let subject = try Program.subject(["fork-store", log])
        #expect(await subject.wait() == 0)
        try folder.write(
            "plugins:\n  file: { path: \"\(log)\" }\n  log-store: { path: \"\(folder.file("logs.sqlite"))\" }\n",
            to: "taffrail.yaml")
        let result = try await Program.run(
            ["recover", folder.path, "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(result.code == 0, "\(folder.text("errors"))")
        let stored = try await Program.run(
            ["-readonly", folder.file("logs.sqlite"), "SELECT message FROM record; PRAGMA integrity_check"],
            of: "sqlite3")
        let wanted = (0..<400).map { "parent n=\($0)" } + (0..<200).map { "child n=\($0)" } + ["ok"]
        #expect(stored.output.split(separator: "\n").map(String.init).sorted() == wanted.sorted())
    }

    @Test func `the command finds, counts and deletes the records of a store`() async throws {
        let folder = TemporaryDirectory()
        let store = folder.file("logs.sqlite")
        try folder.write(
            "level: debug\nplugins:\n  log-store: { path: \"\(store)\", device: ferry }\n", to: "taffrail.yaml")
        func log(_ words: String...) async throws {
            #expect(
                try await Program.run(["log"] + words + ["--config", folder.file("taffrail.yaml")], in: folder).code
                    == 0)
        }
        try await log("info", "started", "--logger", "app")
        try await log("error", "timeout, \"again\"", "status=503", "--logger", "net.http")
        try await log("warning", "a timeout\u{1B}[31m", "status=200", "--logger", "net")
        func logs(_ words: String...) throws -> (code: Int32, output: String, errors: String) {
            let result = try Program.run(["logs"] + words + ["--store", store])
            return (result.code, result.output, result.errors)
        }
        let lines = try logs("query", "level>=warning \"timeout\" logger:net").output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains("[ERROR] timeout, \"again\" device=ferry status=503 logger=net.http"), "\(lines)")
        #expect(!lines.contains { $0.contains("\u{1B}") })
        let json = try logs("query", "status>=500", "--format", "json").output
        #expect(
            json.contains(#""level":"error","message":"timeout, \"again\"","logger":"net.http","device":"ferry""#),
            "\(json)")
        #expect(json.contains(#""attributes":{"status":503}"#) && json.split(separator: "\n").count == 1)
        let csv = try logs("query", "--format", "csv", "--limit", "1", "--oldest").output.split(separator: "\n")
        #expect(
            csv.first == "time,level,device,logger,event,message,lat,lon,attributes"
                && csv.last?.contains(",info,ferry,app,,started,,,") == true)
        #expect(try logs("values", "level").output == "1\terror\n1\tinfo\n1\twarning\n")
        #expect(try logs("values", "status", "logger:net", "--format", "csv").output.hasPrefix("value,count\n"))
        #expect(
            try logs("histogram", "--by", "level", "--interval", "1d").output.hasPrefix("time\terror\tinfo\twarning\n"))
        #expect(try logs("devices").output.hasPrefix("ferry\t3\t"))
        let wrong = try logs("query", "level>=loud")
        #expect(wrong.code == 64 && wrong.errors.contains("column 8: \"loud\" is no level"), "\(wrong.errors)")
        #expect(try logs("purge", "logger:net", "--before", "now", "--yes").output == "2 records deleted\n")
        #expect(try logs("query").output.split(separator: "\n").count == 1)
        let none = try await Program.run(["logs", "--store", folder.file("none.sqlite")])
        #expect(none.code == 66)
    }
}
#endif
