#if Command && Configuration && Store
import Foundation
import TaffrailTestSupport
import Testing

/// `taffrail history trips|visits --format gpx|geojson|kml`.
@Suite(.mayBlock) struct HistoryMapTests {
    /// A directory with a configuration and a store: 20 minutes at home, 20 minutes on the way, 20 minutes at work, and ten on the way.
    private static func filled() throws -> TemporaryDirectory {
        let folder = TemporaryDirectory()
        var latitudes = [Double](repeating: 55.6, count: 40)
        latitudes += (1...40).map { 55.6 + Double($0) * 0.002 }
        latitudes += [Double](repeating: 55.68, count: 40)
        latitudes += (1...20).map { 55.68 + Double($0) * 0.002 }
        let rows = latitudes.enumerated().map { index, latitude in
            let (minutes, seconds) = (index / 2, index % 2 * 30)
            let time =
                "2026-01-05T\(14 + minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(seconds == 0 ? "00" : "30")Z"
            return "\(time),\(latitude),12.5,3\n"
        }
        try folder.write("time,latitude,longitude,altitude\n" + rows.joined(), to: "day.csv")
        try folder.write(
            """
            places:
              - { name: "home & garden", latitude: 55.6, longitude: 12.5, radius: 200 }
            plugins:
              location-store: { path: "\(folder.file("track.sqlite"))" }
            """, to: "taffrail.yaml")
        let imported = try Program.run(
            ["history", "import", folder.file("day.csv"), "--device", "a<b", "--config", folder.file("taffrail.yaml")])
        #expect(imported.code == 0, "\(imported)")
        return folder
    }

    private let folder: TemporaryDirectory

    init() throws { folder = try Self.filled() }

    /// What a command prints, which is also in a file of the directory.
    private func history(_ command: String, _ format: String, _ more: String...) throws -> String {
        let result = try Program.run(
            ["history", command, "--format", format, "--config", folder.file("taffrail.yaml")] + more)
        #expect(result.code == 0, "\(result.errors)")
        try folder.write(result.output, to: "\(command).\(format)")
        return result.output
    }

    /// How many points the first trip has in the store.
    private func count() throws -> Int {
        let line = try history("trips", "json").split(separator: "\n")[0]
        let trip = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let (from, to) = (trip["departure"] as? String ?? "", trip["arrival"] as? String ?? "")
        let listed = try Program.run(
            [
                "history", "list", "--since", from, "--until", to, "--limit", "1000", "--config",
                folder.file("taffrail.yaml"),
            ])
        // The last one has just that time.
        return listed.output.split(separator: "\n").count + 1
    }

    private func check(_ file: String) throws {
        guard Program.areThere("xmllint") else { return }
        let isGPX = file.hasSuffix(".gpx") && TestData.isThere
        let schema = isGPX ? ["--schema", TestData.path("schema/gpx11.xsd")] : []
        let check = try Program.run(["--noout"] + schema + [folder.file(file)], of: "xmllint")
        #expect(check.code == 0, "\(check.errors)")
    }

    /// What gpsbabel reads of a file, a line each.
    private func read(_ file: String, _ format: String, _ kind: String) throws -> [String]? {
        guard Program.areThere("gpsbabel") else { return nil }
        let result = try Program.run(
            [kind, "-i", format, "-f", folder.file(file), "-o", "unicsv,utc=0", "-F", "-"], of: "gpsbabel")
        #expect(result.code == 0, "\(result.errors)")
        return result.output.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test(arguments: ["gpx", "kml"]) func `visits are waypoints with their names and times`(_ format: String) throws {
        let text = try history("visits", format)
        try check("visits.\(format)")
        #expect(text.contains("home &amp; garden") && text.contains("a&lt;b") && text.contains("20 min"))
        #expect(text.contains("2026-01-05T14:00:00.000Z") && text.contains("2026-01-05T14:19:30.000Z"))
        if let lines = try read("visits.\(format)", format, "-w") {
            #expect(lines.count == 2 && lines[0].contains("home & garden") && lines[0].contains("55.6"), "\(lines)")
            #expect(lines[1].contains("55.68"))
        }
        // The newest alone.
        #expect(try !history("visits", format, "--limit", "1").contains("garden"))
    }

    @Test(arguments: ["gpx", "kml"]) func `trips are tracks with all of their points`(_ format: String) throws {
        let text = try history("trips", format)
        try check("trips.\(format)")
        #expect(text.contains("home &amp; garden to 55.68000,12.50000") && text.contains(" to ...<"), "\(text)")
        let count = try count()
        #expect(count >= 40)
        let tag = format == "gpx" ? "<trkpt " : "<when>"
        let tracks = text.components(separatedBy: "<name>").dropFirst(format == "gpx" ? 1 : 2)
        #expect(tracks.map { $0.components(separatedBy: tag).count - 1 }.first == count && tracks.count == 2)
        if let lines = try read("trips.\(format)", format, "-t") {
            #expect(lines.count == text.components(separatedBy: tag).count - 1)
            #expect(lines.contains { $0.contains("55.64") && $0.contains("14:30:00") }, "\(lines.prefix(3))")
        }
        // A trip without a visit before or after it is none of another box.
        #expect(try !history("trips", format, "--box", "10,10,11,11").contains(tag))
        try check("trips.\(format)")
    }

    @Test func `GeoJSON has points and lines with the properties of JSON`() throws {
        func features(_ text: String) throws -> [[String: Any]] {
            let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(root["type"] as? String == "FeatureCollection")
            return try #require(root["features"] as? [[String: Any]])
        }
        let visits = try features(history("visits", "geojson"))
        let geometry = visits.first?["geometry"] as? [String: Any]
        #expect(visits.count == 2 && geometry?["type"] as? String == "Point")
        #expect(geometry?["coordinates"] as? [Double] == [12.5, 55.6])
        let properties = visits.first?["properties"] as? [String: Any]
        #expect(properties?["name"] as? String == "home & garden" && properties?["device"] as? String == "a<b")
        #expect(properties?["arrival"] as? String == "2026-01-05T14:00:00.000Z")
        #expect(properties?["duration"] as? Double == 1_170)
        let trips = try features(history("trips", "geojson"))
        let line = trips.first?["geometry"] as? [String: Any]
        #expect(trips.count == 2 && line?["type"] as? String == "LineString")
        let coordinates = line?["coordinates"] as? [[Double]] ?? []
        #expect(try coordinates.count == count() && coordinates.allSatisfy { $0.count == 2 })
        let times = (trips.first?["properties"] as? [String: Any])?["coordTimes"] as? [String]
        #expect(times?.count == coordinates.count)
        // Another program's reader, and ours.
        let copy = try Program.run(
            ["history", "import", folder.file("trips.geojson"), "--store", folder.file("copy.sqlite")])
        #expect(copy.code == 0 && copy.output.contains(" new, 0 known"), "\(copy)")
        #expect(try features(history("trips", "geojson", "--since", "2027-01-01")).isEmpty)
    }

    @Test(arguments: ["gpx", "geojson", "kml"]) func `days have no coordinates`(_ format: String) throws {
        let days = try Program.run(["history", "days", "--format", format, "--config", folder.file("taffrail.yaml")])
        #expect(days.code == 64 && days.errors.contains("a day has no coordinates"), "\(days)")
        #expect(try history("days", "csv").split(separator: "\n").count == 2)
        #expect(try history("days", "text") == history("days", "table"))
    }
}
#endif
