#if Command && Configuration && Store
import Foundation
import Glibc
import TaffrailGeo
import TaffrailTestSupport
import Testing

/// A day whose visits and trips are known, through `taffrail run` into a store, and out of it again.
@Suite(.heavy) struct GeneratedDayTests {
    private static let isLong = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil

    /// A day in a store.
    private struct Walker {
        let day: GeneratedDay
        let folder: TemporaryDirectory
        var config: String { folder.file("taffrail.yaml") }

        init(interval: Double) throws {
            day = GeneratedDay(interval: interval)
            folder = TemporaryDirectory()
            let rows = day.fixes.map { fix in
                "\(fix.timestamp),\(fix.coordinate.latitude),\(fix.coordinate.longitude),"
                    + "\(fix.horizontalAccuracy ?? 0),\(fix.speed ?? 0)\n"
            }
            try folder.write("time,latitude,longitude,eph,speed\n" + rows.joined(), to: "day.csv")
            func place(_ name: String, _ index: Int) -> String {
                let place = day.visits[index].place
                return
                    "  - { name: \(name), latitude: \(place.latitude), longitude: \(place.longitude), radius: 150 }\n"
            }
            try folder.write(
                "places:\n" + place("home", 0) + place("work", 1) + place("café", 2) + """
                    plugins:
                      geo-replay: { file: "\(folder.file("day.csv"))", as_fast_as_possible: true }
                      visits:
                      file: { path: "\(folder.file("logs/visits.log"))", only: { events: [geo.visit, geo.region] } }
                      location-store: { path: "\(folder.file("track.sqlite"))", device: walker }
                    """, to: "taffrail.yaml")
        }

        func history(_ arguments: String...) throws -> String {
            let result = try Program.run(["history"] + arguments + ["--config", config], environment: ["TZ": "UTC"])
            #expect(result.code == 0, "\(arguments): \(result.errors)")
            return result.output
        }

        func json(_ command: String) throws -> String { try history(command, "--format", "json") }

        func objects(_ text: String) throws -> [[String: Any]] {
            try text.split(separator: "\n").map {
                try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }

        func count() -> Int {
            let result = try? Program.run(
                ["-readonly", folder.file("track.sqlite"), "SELECT sum(points) FROM block"], of: "sqlite3")
            return Int((result?.output ?? "").trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        }

        /// Seconds since the day's start.
        func second(_ value: Any?) throws -> Double {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return try style.parse(try #require(value as? String)).timeIntervalSince1970
                - Double(GeneratedDay.start) / 1e9
        }
    }

    @Test(arguments: [1.0, 60])
    func `a generated day goes through the pipeline, is shown, exported, imported and purged`(interval: Double)
        async throws
    {
        let walker = try Walker(interval: interval)
        let program = try Program(["run", "--config", walker.config], in: walker.folder, environment: ["TZ": "UTC"])
        // As long as more is stored each minute: beside other programs it takes a while.
        var stored = 0
        while stored < walker.day.fixes.count {
            let before = stored
            guard
                await eventually({
                    stored = walker.count()
                    return stored > before
                })
            else { break }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(stored == walker.day.fixes.count, "\(walker.folder.text("errors"))")
        program.send(SIGTERM)
        #expect(await program.wait() == 0)

        // What is noticed at once is in the log.
        let log = walker.folder.text("logs/visits.log")
        #expect(
            log.contains("left home after 7 h") && log.contains("entered work") && log.contains("arrived"), "\(log)")
        // Before and after it has been stored they are the same.
        let (before, _, after) = try await blocking {
            (try walker.history("trips"), try walker.history("maintain"), try walker.history("trips"))
        }
        #expect(before == after)
        let texts = try await blocking { (try walker.json("visits"), try walker.json("trips")) }
        let (visits, trips) = (try walker.objects(texts.0), try walker.objects(texts.1))
        try #require(visits.count == 5 && trips.count == 4, "\(visits)\n\(trips)")
        #expect(
            visits.map { ($0["place"] as? [String: Any])?["name"] as? String } == [
                "home", "work", "café", "work", "home",
            ])
        for (found, real) in zip(visits, walker.day.visits) {
            #expect(try abs(walker.second(found["arrival"]) - real.arrival) <= 120, "\(found)")
            guard found["departure"] is String else { continue }
            #expect(try abs(walker.second(found["departure"]) - real.departure) <= 120, "\(found)")
        }
        var odometer = 0.0
        for (found, real) in zip(trips, walker.day.trips) {
            #expect(try abs(walker.second(found["departure"]) - real.departure) <= 120, "\(found)")
            #expect(try abs(walker.second(found["arrival"]) - real.arrival) <= 120, "\(found)")
            odometer += found["distance"] as? Double ?? 0
        }
        let real = walker.day.trips.reduce(0) { $0 + $1.distance }
        #expect(abs(odometer / real - 1) <= 0.01, "\(odometer) of \(real)")
        // All of it at 1 Hz takes its time.
        guard interval > 1 || Self.isLong else { return }
        try await blocking { try expectTheRest(walker) }
    }

    /// What people see of the day, and what becomes of it.
    private func expectTheRest(_ walker: Walker) throws {
        let text = try walker.history("trips", "--explain")
        #expect(text.contains("home to work  walker\n    begins when the device was last near home"), "\(text)")
        #expect(text.contains("2026-01-05T07:3") && text.contains("left out as jumps"), "\(text)")
        #expect(try walker.history("visits", "--place", "café").split(separator: "\n").count == 1)
        let days = try walker.history("days")
        #expect(
            days.hasPrefix("2026-01-05  4 trips  ") && days.contains("5 visits  ") && days.contains(" stopped  "),
            "\(days)")
        for (command, columns, count) in [("trips", 16, 4), ("visits", 9, 5), ("days", 7, 1)] {
            let table = try walker.history(command, "--format", "csv").split(separator: "\n")
            #expect(table.count == count + 1, "\(table)")
            #expect(table.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == columns })
            #expect(table.first?.hasPrefix("device,") == true && table.last?.hasPrefix("walker,2026-01-05") == true)
        }
        let statistics = try walker.objects(walker.json("stats"))
        #expect(statistics.first?["trips"] as? Int == 4 && statistics.first?["visits"] as? Int == 5)
        // Without what has jumped or drifted, and with it.
        let plain = try walker.history("list", "--limit", "1000000").split(separator: "\n").count
        let all = try walker.history("list", "--limit", "1000000", "--all")
        #expect(all.split(separator: "\n").count == walker.day.fixes.count)
        #expect(plain <= walker.day.fixes.count && !all.isEmpty)

        _ = try walker.history("export", walker.folder.file("day.gpx"), "--all")
        if TestData.isThere, Program.areThere("xmllint") {
            let check = try Program.run(
                ["--noout", "--schema", TestData.path("schema/gpx11.xsd"), walker.folder.file("day.gpx")], of: "xmllint"
            )
            #expect(check.code == 0, "\(check.errors)")
        }
        let copy = walker.folder.file("copy.sqlite")
        let result = try Program.run(
            ["history", "import", walker.folder.file("day.gpx"), "--device", "walker", "--store", copy])
        #expect(result.code == 0 && result.output.contains("\(walker.day.fixes.count) new"), "\(result)")
        let trips = try Program.run(["history", "trips", "--store", copy], environment: ["TZ": "UTC"])
        #expect(trips.output.split(separator: "\n").count == 4, "\(trips)")

        _ = try walker.history("purge", "--before", "2026-01-05T12:00:00Z", "--yes")
        #expect(try walker.objects(walker.json("trips")).count == 3)
        _ = try walker.history("clear", "--yes")
        #expect(try walker.history("trips") == "" && walker.history("list") == "")
    }
}
#endif
