#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

/// A log file, a recorder, a store of positions and one of records in one program.
@Suite(.heavy) struct LogStoreKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 5 : 100

    private static func ship(store: String = "logs/logs.sqlite") throws -> Ship {
        try Ship(store: store, level: "debug") { ship in
            [
                "location-store: { path: \"\(ship.folder.file("store/track.sqlite"))\", device: ferry }",
                "log-store: { path: \"\(ship.store)\", device: ferry, index: [round] }",
            ]
        }
    }

    @Test func `SIGKILL and reloads lose and double no record of file, recorder and both stores`() async throws {
        let ship = try Self.ship()
        for round in 0..<Self.rounds {
            let program = try ship.run()
            let wanted = ship.lineCount + Int.random(in: 1...60)
            try await ship.send { ship.lineCount >= wanted }
            // The new configuration has another log-store: the old one is closed, and the path is the same.
            try ship.configure("round", "round\(round)")
            program.send(SIGHUP)
            ship.send(Int.random(in: 0...300))
            try await ship.send { ship.lineCount >= wanted + 20 }
            await ship.kill(program)
        }
        try await ship.recover()
        #expect(try ship.expectAlike().count > Self.rounds * 20)
        // A last run that ends as it should.
        let before = ship.lineCount
        let program = try ship.run()
        try await ship.send { ship.lineCount > before }
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
        try ship.expectAlike()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func `while the log store's disk is full other sinks continue, and recovery delivers the rest`() async throws {
        let disk = try SmallDisk("5m")
        let ship = try Self.ship(store: disk.directory.file("logs.sqlite"))
        let program = try ship.run()
        try await ship.send(5) { try ship.lineCount >= 50 && ship.stored().count >= 50 }
        try disk.fill()
        let full = ship.lineCount
        ship.send(3_000)
        #expect(
            await eventually { ship.folder.text("errors").contains("cannot save records") },
            "\(ship.folder.text("errors"))")
        try await ship.send(5) { ship.lineCount >= full + 500 }
        await ship.kill(program)
        try disk.free()
        try await ship.recover()
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
        #expect(wrong.code == 64 && wrong.errors.contains("column 8: \"loud\" is not a level"), "\(wrong.errors)")
        #expect(try logs("purge", "logger:net", "--before", "now", "--yes").output == "2 records deleted\n")
        #expect(try logs("query").output.split(separator: "\n").count == 1)
        let none = try await Program.run(["logs", "--store", folder.file("none.sqlite")])
        #expect(none.code == 66)
    }
}

extension Ship {
    /// The records in the log file, as `RUN SEQ`.
    fileprivate func logged() -> [String] {
        lines.compactMap { line in
            guard let sequence = line.firstMatch(of: /"seq":([0-9]+)/)?.1,
                let run = line.firstMatch(of: /"run":"([0-9a-f]+)"/)?.1
            else { return nil }
            return "\(run) \(sequence)"
        }
    }

    fileprivate func stored() throws -> [String] {
        try sql(
            "SELECT origin.name || ' ' || sequence FROM record JOIN origin ON origin.id = record.origin"
        ).split(separator: "\n").map(String.init)
    }

    /// Requires each record of the file to be in the store once, and the store to be sound.
    @discardableResult
    fileprivate func expectAlike() throws -> [String] {
        let logged = logged().sorted()
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
        #expect(try sql("SELECT count(*) FROM point", of: folder.file("store/track.sqlite")) == fixes)
        #expect(try "\(folder.events("drives").count { $0.location != nil })\n" == fixes)
        return logged
    }
}
#endif
