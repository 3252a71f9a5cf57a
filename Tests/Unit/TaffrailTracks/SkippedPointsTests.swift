import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailTracks

/// Tables, KML and GeoJSON with points that cannot be read. GPX is in ``GPXReaderTests``.
@Suite(.mayBlock) struct SkippedPointsTests {
    private static func read(
        _ format: TrackFormat, _ text: String
    ) throws -> (longitudes: [Double?], warnings: TrackWarnings) {
        let folder = TemporaryDirectory()
        try folder.write(text, to: "track")
        let reader = try format.reader(path: folder.file("track"))
        var longitudes: [Double?] = []
        while let event = try reader.next() { longitudes.append(event.event.location?.coordinate.longitude) }
        return (longitudes, reader.warnings)
    }

    private static func expect(
        _ found: (longitudes: [Double?], warnings: TrackWarnings), _ reason: String, line: Int,
        _ location: Testing.SourceLocation = #_sourceLocation
    ) {
        let lines = found.warnings.lines
        #expect(found.longitudes == [3, 4] && found.warnings.skippedPoints == 1, "\(found)", sourceLocation: location)
        #expect(lines.count == 2, "\(lines)", sourceLocation: location)
        #expect(lines.first?.contains("/track:\(line): ") == true, "\(lines)", sourceLocation: location)
        #expect(
            lines.first?.hasSuffix("\(reason); the point is skipped") == true, "\(lines)", sourceLocation: location)
        #expect(lines.last == "1 point was skipped", sourceLocation: location)
    }

    @Test(arguments: [
        ("9,x,2026-01-05T14:30:01Z", "x is not a number for latitude"), ("9", "a line without a valid position"),
        ("9,91,", "a line without a valid position"), ("9,1,noon", "noon is not a time"),
        (",1,2026-01-05T14:30:01Z", "a line without a valid position"),
    ])
    func `a line of a table that cannot be read is skipped`(row: String, reason: String) throws {
        let first = "lon,lat,time\n3,1,2026-01-05T14:30:00Z\n"
        let last = "4,1,2026-01-05T14:30:02Z"
        Self.expect(try Self.read(.csv, "\(first)\(row)\n\(last)\n"), reason, line: 3)
        // One at the end, without a line end.
        Self.expect(try Self.read(.csv, "\(first)\(last)\n\(row)"), reason, line: 4)
    }

    @Test func `a last line that was cut is skipped, and one that only leaves columns out is read`() throws {
        func row(_ second: Int, _ rest: String) -> String { "2026-01-05T14:30:0\(second)Z,1,\(rest)" }
        let lines = "time,lat,lon,altitude,name\n\(row(0, "3,5,a"))\n\(row(1, "4,6,b"))\n"
        for rest in ["9", "9.5", "9.5,7"] {
            Self.expect(
                try Self.read(.csv, lines + row(2, rest)), "the last line ends before its last column", line: 4)
        }
        for rest in ["5\n", "5,", "5,7,c", "5,7,\n"] {
            let found = try Self.read(.csv, lines + row(2, rest))
            #expect(found.longitudes == [3, 4, 5] && found.warnings.skippedPoints == 0, "\(rest)")
        }
    }

    @Test func `an error in a table names the line's start`() throws {
        let time = "2026-01-05T14:30:00Z"
        let found = try Self.read(
            .csv, "lon,lat,time,name\n3,1,\(time),\"a\nb\"\n9,x,,\"c\nd\ne\"\n4,1,\(time),f\n")
        Self.expect(found, "x is not a number for latitude", line: 4)
    }

    @Test(arguments: [
        ("2026-01-05T14:30:01Z", "9 91", "a point with invalid coordinates"),
        ("2026-01-05T14:30:01Z", "9 x 2", "9 x 2 is not a coordinate"),
        ("2026-01-05T14:30:01Z", "9", "9 is not a coordinate"),
        ("noon", "9 1", "noon is not a time"), ("noon", "x", "noon is not a time"),
    ])
    func `a point of a KML track that cannot be read is skipped, and the others keep their times`(
        time: String, coordinate: String, reason: String
    ) throws {
        let times = ["2026-01-05T14:30:00Z", time, "2026-01-05T14:30:02Z"].map { "<when>\($0)</when>\n" }
        let coordinates = ["3 1", coordinate, "4 1"].map { "<coord>\($0)</coord>\n" }
        let line = reason.hasSuffix("time") ? 3 : 6
        let ahead = times.joined() + coordinates.joined()
        Self.expect(try Self.read(.kml, "<kml><Track>\n\(ahead)</Track></kml>"), reason, line: line)
        let between = zip(times, coordinates).map { $0 + $1 }.joined()
        let text = "<kml><Track>\n\(between)</Track></kml>"
        Self.expect(try Self.read(.kml, text), reason, line: reason.hasSuffix("time") ? 4 : 5)
        let reader = KMLReader(text.utf8)
        #expect(try reader.next()?.relativeTime == 0)
        #expect(try reader.next()?.relativeTime == 2)
    }

    @Test(arguments: [("9,91,5", "a point with invalid coordinates"), ("9,x", "9,x is not a coordinate")])
    func `a point of a KML line that cannot be read is skipped, and its line is named`(
        part: String, reason: String
    ) throws {
        let found = try Self.read(
            .kml, "<kml><LineString><coordinates>\r\n3,1,5\r\n\(part) 4,1\r\n\r\n</coordinates></LineString></kml>")
        Self.expect(found, reason, line: 3)
    }

    @Test(arguments: [
        ("[9,91]", "a point with invalid coordinates"), ("[9,\"1\"]", "expected a latitude"),
        ("[9]", "expected a latitude"), ("[9,[1,2],[3]]", "expected a latitude"),
        ("[null,1]", "expected a longitude"), ("[\"9\",{\"x\":[1]}]", "expected a longitude"),
        ("[9,1,\"high\"]", "expected an altitude"),
    ])
    func `a position of GeoJSON that cannot be read is skipped, in lines and as a point`(
        position: String, reason: String
    ) throws {
        let line = "{\"type\":\"LineString\",\"coordinates\":[[3,1],\n\(position),[4,1]]}"
        Self.expect(try Self.read(.geojson, line), reason, line: 2)
        let features = ["[3,1]", position, "[4,1]"].map {
            "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":\($0)}}"
        }
        Self.expect(try Self.read(.geojson, "{\"features\":[\(features.joined(separator: ",\n"))]}"), reason, line: 2)
    }

    @Test(arguments: [
        ("[3,1],[9,1],[4,1]", "\"2026-01-05T14:30:00Z\",\"noon\",\"2026-01-05T14:30:02Z\"", "noon is not a time"),
        ("[3,1],[9,1],[4,1]", "\"2026-01-05T14:30:00Z\",7,\"2026-01-05T14:30:02Z\"", "expected a time"),
        (
            "[3,1],[9,91],[4,1]", "\"2026-01-05T14:30:00Z\",\"2026-01-05T14:30:01Z\",\"2026-01-05T14:30:02Z\"",
            "a point with invalid coordinates"
        ),
        (
            "[3,1],[9,91],[4,1]", "\"2026-01-05T14:30:00Z\",null,\"2026-01-05T14:30:02Z\"",
            "a point with invalid coordinates"
        ),
    ])
    func `the times of a line of GeoJSON belong to its positions, even if one cannot be read`(
        positions: String, times: String, reason: String
    ) throws {
        for (positions, times) in [(positions, times), ("[\(positions)]", "[\(times)]")] {
            let text = """
                {"type":"Feature","properties":{"coordTimes":[\(times)]},
                "geometry":{"type":"LineString","coordinates":[\(positions)]}}
                """
            Self.expect(try Self.read(.geojson, text), reason, line: reason.contains("coordinates") ? 2 : 1)
            let reader = GeoJSONReader(text.utf8)
            #expect(try reader.next()?.relativeTime == 0)
            #expect(try reader.next()?.relativeTime == 2)
        }
    }

    /// A file of a point in each line, with a property each.
    private static func points(_ properties: [(longitude: Int, property: String)]) -> String {
        let features = properties.map { longitude, property in
            "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(longitude),1]},"
                + "\"properties\":{\(property)}}"
        }
        return "{\"features\":[\n\(features.joined(separator: ",\n"))]}"
    }

    @Test(arguments: [
        ("\"time\":\"noon\"", "noon is not a time"), ("\"timestamp\":\"14:30\"", "14:30 is not a time"),
        ("\"time\":1767623401", "expected a time"), ("\"time\":[\"2026-01-05T14:30:01Z\"]", "expected a time"),
        ("\"time\":\"noon\",\"timestamp\":\"\"", "noon is not a time"),
    ])
    func `a point of GeoJSON whose time cannot be read is skipped`(property: String, reason: String) throws {
        let text = Self.points([
            (3, "\"time\":\"2026-01-05T14:30:00Z\""), (9, property), (4, "\"time\":\"2026-01-05T14:30:02Z\""),
        ])
        Self.expect(try Self.read(.geojson, text), reason, line: 3)
        let reader = GeoJSONReader(text.utf8)
        #expect(try reader.next()?.relativeTime == 0)
        #expect(try reader.next()?.relativeTime == 2)
        // As an error whose time cannot be read.
        let point = "{\"type\":\"Point\",\"coordinates\":[9,1]},\"properties\":{"
        let error = text.replacing(point, with: "null,\"properties\":{\"type\":\"error\",")
        #expect(error != text)
        Self.expect(try Self.read(.geojson, error), reason, line: 3)
    }

    @Test func `a point of GeoJSON may have no time, or two of which one can be read, and a line any`() throws {
        let time = "2026-01-05T14:30:00Z"
        let text = Self.points([
            (1, "\"time\":\"\(time)\",\"timestamp\":7"), (2, "\"timestamp\":7,\"time\":\"\(time)\""),
            (3, "\"time\":\"\""), (4, "\"time\":null"), (5, ""),
        ])
        let reader = GeoJSONReader(text.utf8)
        let events = try TrackTimesTests.read(reader)
        #expect(events.map { $0.event.location?.extra.hasNoTime } == [nil, nil, true, true, true])
        #expect(reader.warnings.lines.isEmpty)
        let line = try Self.read(
            .geojson,
            "{\"type\":\"Feature\",\"properties\":{\"time\":\"noon\"},"
                + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[3,1],[4,1]]}}")
        #expect(line.longitudes == [3, 4] && line.warnings.lines.isEmpty, "\(line)")
    }

    @Test func `a position of GeoJSON may have no altitude, or more than one`() throws {
        let found = try Self.read(.geojson, "{\"type\":\"LineString\",\"coordinates\":[[3,1,null],[4,1,5,\"x\",[6]]]}")
        #expect(found.longitudes == [3, 4] && found.warnings.lines.isEmpty, "\(found)")
    }

    @Test func `a GeoJSON line without a valid position adds no gap`() throws {
        let text = "{\"type\":\"MultiLineString\",\"coordinates\":[[[1,91]],[[3,1]],[[1,91],[2,91]],[[4,1]]]}"
        let found = try Self.read(.geojson, text)
        #expect(found.longitudes == [3, nil, 4] && found.warnings.lines.last == "3 points were skipped")
    }

    @Test(arguments: [
        (TrackFormat.csv, "lat,lon\n\n91,0\n1,x\n", "track:3: "),
        (.kml, "<kml><Track>\n<coord>1 x</coord><coord>1 91</coord></Track></kml>", "track:2: "),
        (.kml, "<kml><LineString>\n<coordinates>1,91</coordinates></LineString></kml>", "track:2: "),
        (.geojson, "{\"type\":\"LineString\",\n\"coordinates\":[[1,91],[1]]}", "track:2: "),
        (.geojson, "{\"type\":\"Point\",\n\"coordinates\":[1,91]}", "track:2: "),
        (.gpx, "<gpx><trk><trkseg>\n<trkpt lat='1'/><trkpt/></trkseg></trk></gpx>", "track:2: "),
    ])
    func `a file in which no point can be read is an error that names the first`(
        format: TrackFormat, text: String, part: String
    ) throws {
        let error = #expect(throws: RecordingError.self) { try Self.read(format, text) }
        #expect(error?.kind == .malformed && error?.description.contains(part) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        (TrackFormat.csv, "lat,lon\n1,3\n1,x\n\"1,2\n"), (.kml, "<kml><Track><when>x</when><coord>3 1</coord>"),
        (.geojson, "{\"type\":\"LineString\",\"coordinates\":[[3,1],[1,91],"),
    ])
    func `problems of the file itself stay errors`(format: TrackFormat, text: String) {
        #expect(throws: RecordingError.self) { try Self.read(format, text) }
    }
}
