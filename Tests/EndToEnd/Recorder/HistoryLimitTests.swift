#if Command && Store
import Foundation
import TaffrailTestSupport
import Testing

/// `--limit` and the formats of `taffrail history export` and `stats`.
@Suite(.mayBlock) struct HistoryLimitTests {
    private static let header = "time,latitude,longitude\n"

    /// A store of ten fixes of a walk, one a second, and five of a boat, half a second after the last five of these.
    private func filled() throws -> (TemporaryDirectory, store: String) {
        let folder = TemporaryDirectory()
        func table(_ seconds: [String], _ latitude: Int) -> String {
            Self.header
                + seconds.enumerated().map { "2026-01-05T14:30:\($1)Z,\(latitude).00\($0),12.5\n" }.joined()
        }
        let store = folder.file("track.sqlite")
        try add(table((0...9).map { "0\($0)" }, 55), device: "legs", to: store, folder)
        try add(table((5...9).map { "0\($0).5" }, 56), device: "boat", to: store, folder)
        return (folder, store)
    }

    private func add(_ table: String, device: String, to store: String, _ folder: TemporaryDirectory) throws {
        try folder.write(table, to: device + ".csv")
        let result = try run("import", folder.file(device + ".csv"), "--device", device, "--store", store)
        #expect(result.code == 0, "\(result)")
    }

    private func run(_ arguments: String...) throws -> (code: Int32, output: String, errors: String) {
        try Program.run(["history"] + arguments)
    }

    /// The lines of a table as dictionaries.
    private func rows(_ table: String) throws -> [[String: String]] {
        let lines = table.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let columns = try #require(lines.first)
        return lines.dropFirst().map { Dictionary(zip(columns, $0), uniquingKeysWith: { first, _ in first }) }
    }

    @Test func `an export of so many points has the newest of all devices`() throws {
        let (folder, store) = try filled()
        defer { withExtendedLifetime(folder) {} }
        func export(_ arguments: String...) throws -> [Substring] {
            let result = try Program.run(
                ["history", "export", "-", "--format", "csv", "--store", store] + arguments)
            #expect(result.code == 0, "\(result)")
            return result.output.split(whereSeparator: \.isNewline).dropFirst().map {
                $0.prefix { $0 != "," }.dropFirst(17)
            }
        }
        let boat = ["06.500", "07.500", "08.500", "09.500"].map { $0 + "Z" }
        #expect(try export("--limit", "7").map(String.init) == boat + ["07.000Z", "08.000Z", "09.000Z"])
        #expect(try export("--limit", "2", "--device", "legs").map(String.init) == ["08.000Z", "09.000Z"])
        #expect(
            try export("--limit", "2", "--until", "2026-01-05T14:30:03Z").map(String.init) == ["01.000Z", "02.000Z"])
        // The ends of two lines.
        #expect(
            try export("--limit", "7", "--simplify", "5").map { $0.prefix(4) } == ["06.5", "09.5", "07.0", "09.0"])
        #expect(try export("--limit", "1").map(String.init) == ["09.500Z"])
        #expect(try export("--limit", "15") == export() && export("--limit", "1000000").count == 15)
        let none = try run("export", folder.file("a.gpx"), "--limit", "0", "--store", store)
        #expect(none.code == 64 && none.errors.contains("--limit must be at least 1"), "\(none)")
        #expect(!folder.names.contains("a.gpx"))
    }

    @Test func `points of one millisecond are counted like others`() throws {
        let folder = TemporaryDirectory()
        let store = folder.file("track.sqlite")
        let lines = (0..<5).map { "2026-01-05T14:30:00.001Z,55.00\($0),12.5\n" }
        try add(Self.header + lines.joined(), device: "twin", to: store, folder)
        func latitudes(_ arguments: String...) throws -> [String] {
            let table = try Program.run(
                ["history"] + arguments + ["--format", "csv", "--all", "--store", store]
            ).output
            return table.split(whereSeparator: \.isNewline).dropFirst().map {
                String($0.split(separator: ",", omittingEmptySubsequences: false)[1])
            }
        }
        for limit in 1...5 {
            let newest = try latitudes("list", "--limit", "\(limit)")
            #expect(newest.count == limit)
            #expect(try latitudes("export", "-", "--limit", "\(limit)") == newest)
        }
    }

    @Test func `statistics of so many points have the trips and visits since`() throws {
        let (folder, store) = try filled()
        // Ten minutes in one place, ten minutes of way, ten minutes in another place.
        let day = (0...30).map { minute in
            let steps = min(max(minute - 10, 0), 10)
            return "2026-01-06T08:\(minute < 10 ? "0" : "")\(minute):00Z,55.\(100 + 3 * steps),12.5\n"
        }
        try add(Self.header + day.joined(), device: "day", to: store, folder)
        let all = try rows(run("stats", "--format", "csv", "--store", store).output)
        #expect(all.map { $0["device"] } == ["boat", "day", "legs"])
        #expect(all.map { $0["points"] } == ["5", "31", "10"])
        #expect(all.map { $0["trips"] }[1] == "1" && all.map { $0["visits"] }[1] == "2")
        let distance = try #require(Double(all[1]["distance"] ?? ""))
        #expect(abs(distance - 3_340) < 5 && all[1]["moving_time"] == "600.0")
        #expect(all[1]["start"] == "2026-01-06T08:00:00.000Z" && all[1]["minimum_altitude"] == "")

        let some = try rows(run("stats", "--limit", "33", "--format", "csv", "--store", store).output)
        #expect(some.map { $0["points"] } == ["1", "31", "1"])
        let last = try rows(run("stats", "--limit", "5", "--format", "csv", "--store", store).output)
        #expect(last.map { $0["points"] } == ["0", "5", "0"])
        #expect(last.map { $0["trips"] } == ["0", "0", "0"] && last.map { $0["visits"] } == ["0", "1", "0"])
        #expect(last.map { $0["odometer"] } == ["0.0", "0.0", "0.0"])

        let json = try run("stats", "--limit", "3", "--device", "legs", "--format", "json", "--store", store).output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["points"] as? Int == 3)
        #expect(try run("stats", "--limit", "0", "--store", store).code == 64)
    }

    @Test func `statistics are a table, JSON or CSV, and nothing for a map`() throws {
        let (folder, store) = try filled()
        defer { withExtendedLifetime(folder) {} }
        let table = try run("stats", "--store", store)
        #expect(table.code == 0 && table.output.contains("rows                15"), "\(table)")
        #expect(try run("stats", "--format", "table", "--store", store).output == table.output)
        #expect(try run("stats", "--format", "text", "--store", store).output == table.output)
        for format in ["gpx", "geojson", "kml"] {
            let result = try run("stats", "--format", format, "--store", store)
            #expect(result.code == 64 && result.errors.contains("--format \(format): statistics have no"), "\(result)")
        }
        #expect(try run("stats", "--format", "yaml", "--store", store).code == 64)
    }
}
#endif
