#if Command && Configuration && Store
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// `taffrail history` on a store at rest, and on one that a program writes.
@Suite(.mayBlock) struct HistoryCommandTests {
    /// A directory with a store of ten fixes of a walk and five of a boat.
    private func filled() throws -> (TemporaryDirectory, store: String) {
        let folder = TemporaryDirectory()
        func table(_ count: Int, _ latitude: Double) -> String {
            "time,latitude,longitude,altitude,speed\n"
                + (0..<count).map { "2026-01-05T14:30:0\($0)Z,\(latitude + Double($0) / 1_000),12.5,3,1.5\n" }.joined()
        }
        try folder.write(table(10, 55), to: "walk.csv")
        try folder.write(table(5, 56), to: "sail.csv")
        let store = folder.file("track.sqlite")
        #expect(try run("import", folder.file("walk.csv"), "--device", "legs", "--store", store).code == 0)
        #expect(try run("import", folder.file("sail.csv"), "--device", "boat", "--store", store).code == 0)
        return (folder, store)
    }

    private func run(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
        try Program.run(["history"] + arguments)
    }

    @Test func `list shows the newest points, filtered, in each format`() throws {
        let (folder, store) = try filled()
        defer { withExtendedLifetime(folder) {} }
        let all = try run("list", "--store", store)
        #expect(all.code == 0 && all.output.split(separator: "\n").count == 15, "\(all)")
        let two = try run("--device", "legs", "--limit", "2", "--store", store).output
        #expect(
            two == """
                2026-01-05T14:30:08.000Z  55.008000, 12.500000 1.5 m/s  legs
                2026-01-05T14:30:09.000Z  55.009000, 12.500000 1.5 m/s  legs

                """)
        let box = try run("list", "--box", "55.9,12,56.0015,13", "--format", "json", "--store", store).output
        let objects = try box.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["lat"] as? Double } == [56, 56.001])
        #expect(objects.allSatisfy { $0["device"] as? String == "boat" && $0["session"] as? String == "sail.csv" })
        #expect(UUID(uuidString: objects.first?["id"] as? String ?? "") != nil)
        let until = try run(
            "list", "--since", "2026-01-05T14:30:03Z", "--until", "2026-01-05T14:30:05Z", "--store", store)
        #expect(until.output.split(separator: "\n").count == 4)
        for format in ["csv", "gpx", "geojson", "kml"] {
            let result = try run("list", "--device", "legs", "--format", format, "--store", store)
            #expect(result.code == 0 && result.output.contains("55.009"), "\(format): \(result)")
        }
    }

    @Test func `an export is valid, is read by other programs, and is reimported unchanged`() throws {
        let (folder, store) = try filled()
        for name in ["all.gpx", "all.kml", "all.csv", "all.geojson", "all.json"] {
            let result = try run("export", folder.file(name), "--store", store)
            #expect(result.code == 0, "\(result.errors)")
            // A second time it exists.
            #expect(try run("export", folder.file(name), "--store", store).code == 73)
        }
        if TestData.isThere, Program.areThere("xmllint") {
            let check = try Program.run(
                ["--noout", "--schema", TestData.path("schema/gpx11.xsd"), folder.file("all.gpx")], of: "xmllint")
            #expect(check.code == 0, "\(check.errors)")
        }
        if Program.areThere("gpsbabel") {
            let back = try Program.run(
                ["-t", "-i", "gpx", "-f", folder.file("all.gpx"), "-o", "unicsv", "-F", "-"], of: "gpsbabel")
            #expect(back.output.split(whereSeparator: \.isNewline).count == 16, "\(back)")
        }
        // In one line there are the ends alone.
        #expect(try run("export", folder.file("some.csv"), "--simplify", "5", "--store", store).code == 0)
        #expect(folder.text("some.csv").split(whereSeparator: \.isNewline).count == 5, "\(folder.text("some.csv"))")
        #expect(try run("export", "-", "--format", "csv", "--simplify", "5", "--all", "--store", store).code == 64)
        let copy = folder.file("copy.sqlite")
        #expect(try run("import", folder.file("all.json"), "--store", copy).output.contains("15 new, 0 known"))
        #expect(try run("import", folder.file("all.json"), "--store", copy).output.contains("0 new, 15 known"))
        func lines(_ path: String) throws -> [Substring] {
            try run("list", "--store", path).output.split(separator: "\n").sorted()
        }
        #expect(try lines(copy) == lines(store))
        // A recording of one device keeps everything there is.
        #expect(try run("export", folder.file("boat.nmea"), "--store", store).code == 64)
        #expect(try run("export", folder.file("boat.nmea"), "--device", "boat", "--store", store).code == 0)
    }

    @Test func `an import prints what the reader of a table reports, with line and reason`() throws {
        let folder = TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let store = folder.file("track.sqlite")
        try folder.write("latitude,longitude,Zeit\n55,12,14:30\n", to: "untimed.csv")
        let untimed = try run("import", folder.file("untimed.csv"), "--store", store)
        #expect(untimed.code == 0 && untimed.output.hasSuffix("untimed.csv: 1 new, 0 known\n"), "\(untimed)")
        let message = "untimed.csv: the positions have no times; unknown columns: \"Zeit\"\n"
        #expect(untimed.errors.contains(message), "\(untimed)")
        try folder.write(
            "time,latitude,longitude\n2026-01-05T14:30:00Z,55,12\n2026-01-05T14:30:01Z,55,x\n", to: "row.csv")
        let row = try run("import", folder.file("row.csv"), "--store", store)
        #expect(row.code == 0 && row.output.hasSuffix("row.csv: 1 new, 0 known\n"), "\(row)")
        #expect(row.errors.contains("row.csv:3: byte 51: x is not a number for longitude; the point is skipped\n"))
        #expect(row.errors.contains("row.csv: 1 position could not be read\n"), "\(row)")
        // A table that is in order has none.
        try folder.write("time,latitude,longitude\n2026-01-05T14:30:02Z,55,12\n", to: "good.csv")
        #expect(try run("import", folder.file("good.csv"), "--store", store).errors == "")
    }

    @Test func `stats counts for each device, and backup copies`() throws {
        let (folder, store) = try filled()
        let text = try run("stats", "--store", store)
        #expect(text.code == 0 && text.output.contains("rows                15"), "\(text)")
        let json = try run("stats", "--device", "legs", "--format", "json", "--store", store).output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["points"] as? Int == 10 && object["sessions"] as? Int == 1)
        #expect(abs((object["distance"] as? Double ?? 0) - 1_001.9) < 1)
        #expect(try run("backup", folder.file("copy.sqlite"), "--store", store).code == 0)
        #expect(try run("backup", folder.file("copy.sqlite"), "--store", store).code == 73)
        #expect(try run("list", "--store", folder.file("copy.sqlite")).output == run("list", "--store", store).output)
    }

    @Test func `a time may be a duration before now, also with a minus sign`() throws {
        let (folder, store) = try filled()
        defer { withExtendedLifetime(folder) {} }
        let all = try run("list", "--until", "-10m", "--store", store)
        #expect(all.code == 0 && all.output.split(separator: "\n").count == 15, "\(all)")
        let none = try run("list", "--since", "-10m", "--store", store)
        #expect(none.code == 0 && none.output == "", "\(none)")
        let purge = try run("purge", "--since", "-20m", "--until", "-10m", "--yes", "--store", store)
        #expect(purge.code == 0 && purge.output == "0 points deleted\n", "\(purge)")
        #expect(try run("purge", "--before", "-10m", "--yes", "--store", store).output == "15 points deleted\n")
    }

    @Test func `purge deletes a range of time, and what is of one device`() throws {
        let (folder, store) = try filled()
        defer { withExtendedLifetime(folder) {} }
        func purge(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
            try Program.run(["history", "purge", "--yes", "--store", store] + arguments)
        }
        let some = try purge(
            "--device", "legs", "--since", "2026-01-05T14:30:02Z", "--until", "2026-01-05T14:30:06Z")
        #expect(some.code == 0 && some.output == "4 points deleted\n", "\(some)")
        #expect(try run("list", "--device", "boat", "--store", store).output.split(separator: "\n").count == 5)
        #expect(try purge("--since", "2026-01-05T14:30:08Z").output == "2 points deleted\n")
        #expect(try purge("--device", "boat").output == "5 points deleted\n")
        #expect(try run("list", "--store", store).output.split(separator: "\n").count == 4)
        #expect(try purge("--until", "2026-01-06", "--before", "2026-01-06").code == 64)
        #expect(try purge("--since", "2026-01-06", "--until", "2026-01-05").code == 64)
        #expect(try purge("--since", "soon").code == 64)
    }

    @Test func `purge, thin, maintain and clear delete, and only when confirmed`() throws {
        let (folder, store) = try filled()
        for arguments in [["purge"], ["thin"], ["clear"]] {
            let result = try Program.run(["history"] + arguments + ["--store", store])
            #expect(result.code == 64 && result.errors.contains("--yes"), "\(result)")
        }
        let purge = try run("purge", "--before", "2026-01-05T14:30:05Z", "--yes", "--store", store)
        #expect(purge.code == 0 && purge.output == "10 points deleted\n", "\(purge)")
        for tolerance in ["0", "0.05", "20000", "nan", "inf"] {
            #expect(try run("thin", "--tolerance", tolerance, "--yes", "--store", store).code == 64, "\(tolerance)")
        }
        // It has gone straight on.
        #expect(try run("thin", "--older-than", "1d", "--yes", "--store", store).output == "3 points deleted\n")
        #expect(try run("maintain", "--rows", "1", "--store", store).output == "1 point deleted\n")
        #expect(try run("clear", "--yes", "--store", store).output == "1 point deleted\n")
        #expect(try run("list", "--store", store).output == "")
        // What there is not is an error.
        #expect(try run("list", "--store", folder.file("none.sqlite")).code == 66)
        #expect(try run("purge", "--yes", "--store", folder.file("none.sqlite")).code == 66)
        // A timer may come before the first position.
        #expect(try run("maintain", "--store", folder.file("none.sqlite")).code == 0)
        #expect(try run("maintain", "--thin-after", "soon", "--store", store).code == 64)
        #expect(folder.names.allSatisfy { !$0.hasPrefix("none") })
        try folder.write("not a database", to: "diary.sqlite")
        #expect(try run("list", "--store", folder.file("diary.sqlite")).code == 65)
        #expect(folder.text("diary.sqlite") == "not a database")
    }

    @Test func `the name of a device does nothing to a terminal`() throws {
        let (folder, store) = try filled()
        let name = "a\u{1B}[31mb\nc\u{202E}"
        #expect(try run("import", folder.file("walk.csv"), "--device", name, "--store", store).code == 0)
        for command in ["list", "stats", "visits", "trips", "days"] {
            let output = try run(command, "--device", name, "--store", store).output
            #expect(!output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(command): \(output)")
            #expect(!output.contains("b\nc"), "\(command): \(output)")
        }
        #expect(try run("list", "--device", name, "--store", store).output.contains("a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}"))
    }

    @Test func `maintain deletes by the limits of the configuration, unless it gets others`() throws {
        let (folder, store) = try filled()
        try folder.write(
            "plugins:\n  location-store: { path: \"\(store)\", keep: { rows: 9, thin_after: 1d, thin_tolerance: 1 } }\n",
            to: "taffrail.yaml")
        let config = folder.file("taffrail.yaml")
        // A store that is named has no limits.
        #expect(try run("maintain", "--store", store).output == "0 points deleted\n")
        #expect(
            try run("maintain", "--rows", "14", "--thin-after", "36600d", "--config", config).output
                == "2 points deleted\n")
        #expect(try run("maintain", "--config", config).code == 0)
        #expect(try run("list", "--store", store, "--all").output.split(separator: "\n").count <= 9)
        #expect(try run("list", "--device", "legs", "--store", store, "--all").output.contains("55.009"))
    }

    @Test(.enabled(if: Program.areThere("flock"), "flock is not installed (util-linux)"))
    func `a program starts while another one writes the store, and saves when that has ended`() async throws {
        let folder = TemporaryDirectory()
        let store = folder.file("track.sqlite")
        try folder.write(
            """
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 100ms }
              file: { path: "\(folder.file("logs/app.log"))", format: json }
              location-store: { path: "\(store)", device: ferry }
            """, to: "taffrail.yaml")
        let holder = try Program(
            [store + "-lock", "sh", "-c", "echo held; exec sleep 600"], of: "flock", in: folder, output: "holder")
        #expect(await eventually { folder.text("holder").contains("held") })
        let program = try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(await eventually { folder.text("logs/app.log").contains("geo.location") }, "\(folder.text("errors"))")
        #expect(folder.text("errors").contains("is being written by another process"))
        #expect(!folder.names.contains("track.sqlite"))
        holder.kill()
        #expect(
            await eventually {
                let result = try? Program.run(["-readonly", store, "SELECT count(*) FROM point"], of: "sqlite3")
                return (Int((result?.output ?? "").trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 20
            }, "\(folder.text("errors"))")
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
    }

    @Test(.enabled(if: Program.areThere("flock"), "flock is not installed (util-linux)"))
    func `a change waits for a process that has the store open and does not answer`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("time,latitude,longitude\n2026-01-05T14:30:00Z,55,12\n", to: "one.csv")
        let store = folder.file("track.sqlite")
        let holder = try Program(
            [store + "-lock", "sh", "-c", "echo held; exec sleep 600"], of: "flock", in: folder, output: "holder")
        #expect(await eventually { folder.text("holder").contains("held") })
        let program = try Program(["history", "import", folder.file("one.csv"), "--store", store], in: folder)
        #expect(await eventually { folder.text("errors").contains("waiting for another process") })
        holder.kill()
        #expect(await program.wait() == 0, "\(folder.text("errors"))")
    }

    @Test func `changes of a store in use are made by the program that writes it`() async throws {
        let folder = TemporaryDirectory()
        try folder.write(
            "time,latitude,longitude\n2026-01-05T14:30:00Z,55,12\n2026-01-05T14:30:01Z,55,x\n", to: "one.csv")
        try folder.write(
            """
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 100ms }
              location-store: { path: "\(folder.file("track.sqlite"))", device: ferry }
            """, to: "taffrail.yaml")
        let config = folder.file("taffrail.yaml")
        let program = try Program(["run", "--config", config], in: folder)
        func count() throws -> Int {
            let result = try Program.run(
                ["-readonly", folder.file("track.sqlite"), "SELECT count(*) FROM point"], of: "sqlite3")
            return Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
        }
        #expect(await eventually { (try? count()) ?? 0 > 0 }, "\(folder.text("errors"))")
        let imported = try await blocking { try self.run("import", folder.file("one.csv"), "--config", config) }
        #expect(imported.code == 0 && imported.output.contains("1 new"), "\(imported)")
        let reason = "x is not a number for longitude; the point is skipped\n"
        #expect(imported.errors.contains("one.csv:3: byte 51: \(reason)"), "\(imported)")
        #expect(imported.errors.contains("one.csv: 1 position could not be read\n"), "\(imported)")
        let maintained = try await blocking {
            try self.run("maintain", "--age", "36500d", "--thin-after", "36500d", "--config", config)
        }
        #expect(maintained.code == 0 && maintained.output == "0 points deleted\n", "\(maintained)")
        let purged = try await blocking {
            try self.run("purge", "--before", "2026-01-06", "--yes", "--store", folder.file("track.sqlite"))
        }
        #expect(purged.code == 0 && purged.output == "1 point deleted\n", "\(purged)")
        let cleared = try await blocking { try self.run("clear", "--yes", "--config", config) }
        #expect(cleared.code == 0, "\(cleared)")
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
    }
}
#endif
