import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

@Suite struct GPXReaderTests {
    static func read(_ text: String) throws -> (longitudes: [Double?], warnings: [String]) {
        let reader = GPXReader("<gpx>\n\(text)</gpx>".utf8, path: "track.gpx")
        var longitudes: [Double?] = []
        while let event = try reader.next() { longitudes.append(event.event.location?.coordinate.longitude) }
        return (longitudes, reader.warnings.lines)
    }

    static let route = "<rte><rtept lat='1' lon='1'/><rtept lat='1' lon='2'/></rte>"
    static let track = "<trk><trkseg><trkpt lat='1' lon='3'/><trkpt lat='1' lon='4'/></trkseg></trk>"

    @Test(arguments: [route + track, track + route]) func `a route is not joined to a track`(text: String) throws {
        let (longitudes, warnings) = try Self.read(text)
        #expect(longitudes == [3, 4])
        #expect(warnings.count == 1 && warnings[0].contains("the route of 2 points is ignored"))
    }

    @Test func `without a track the routes count, with a gap between them`() throws {
        #expect(try Self.read(Self.route + "<trk><trkseg/></trk>" + Self.route).longitudes == [1, 2, nil, 1, 2])
    }

    @Test func `a file with waypoints alone is reported as such`() {
        let error = #expect(throws: RecordingError.self) {
            try Self.read("<wpt lat='1' lon='2'><name>pier</name></wpt><wpt lat='1' lon='3'/>")
        }
        #expect(error?.reason == "it has 2 waypoints, but neither a track nor a route")
    }

    @Test(arguments: [
        "<trkpt lon='9'/>", "<trkpt lat='x' lon='9'/>", "<trkpt lat='91' lon='9'/>",
        "<trkpt lat='1' lon='9'><ele>high</ele></trkpt>",
        "<trkpt lat='1' lon='9'><time>noon</time><ele>4</ele></trkpt>",
    ])
    func `a point that cannot be read is skipped, counted and described`(point: String) throws {
        let (longitudes, warnings) = try Self.read(
            "<trk><trkseg><trkpt lat='1' lon='3'/>\n\(point)<trkpt lat='1' lon='4'/></trkseg></trk>")
        #expect(longitudes == [3, 4])
        #expect(warnings.count == 2 && warnings[0].hasPrefix("track.gpx:3: ") && warnings[0].hasSuffix("is skipped"))
        #expect(warnings[1] == "1 point was skipped")
    }

    @Test func `many points that cannot be read are described in a few lines`() throws {
        let points = String(repeating: "<trkpt lat='91' lon='9'/>", count: 1_000) + "<trkpt lat='1' lon='3'/>"
        let (longitudes, warnings) = try Self.read("<trk><trkseg>\(points)</trkseg></trk>")
        #expect(longitudes == [3] && warnings.count == 6 && warnings.last == "1000 points were skipped")
    }

    @Test func `a conversion keeps several receivers apart`() throws {
        let folder = TemporaryDirectory()
        let writer = TrackFormat.json.writer(try TextOutput(path: folder.file("two.json")))
        try writer.begin(nil, name: "")
        for index in 0..<20 {
            var location = Location(
                latitude: 55, longitude: 12 + Double(index) * 0.001,
                timestamp: SampleDrive.start + .seconds(index))
            location.extra.device = index % 2 == 0 ? "/dev/a" : "/dev/b"
            try writer.append(
                RecordedEvent(timestamp: location.timestamp, relativeTime: Double(index), event: .location(location)))
        }
        try writer.finish()
        for format in [TrackFormat.gpx, .kml] {
            let path = folder.file("out.\(format.rawValue)")
            let conversion = try TrackConversion(from: folder.file("two.json"), .json, to: path, format)
            #expect(conversion.locations == 20)
            let events = try TrackFormatTests.read(path, format)
            let longitudes = events.compactMap { $0.event.location?.coordinate.longitude }
            // First all of one, then all of the other, and a gap between.
            #expect(longitudes.count == 20 && longitudes[..<10] == longitudes[..<10].sorted()[...])
            #expect(longitudes[10] < longitudes[9] && events[10].event.error != nil)
            if format == .gpx {
                #expect(events.compactMap { $0.event.location?.extra.device }[9...10] == ["/dev/a", "/dev/b"])
            }
        }
        #expect(throws: RecordingError.self) {
            try TrackConversion(from: folder.file("two.json"), .json, to: folder.file("x.nmea"), .nmea)
        }
        #expect(!folder.names.contains("x.nmea"))
        let one = try TrackConversion(
            from: folder.file("two.json"), .json, to: folder.file("x.nmea"), .nmea, device: "/dev/b")
        #expect(one.locations == 10)
        for format in [TrackFormat.csv, .geojson, .json] {
            let path = folder.file("in-order.\(format.rawValue)")
            _ = try TrackConversion(from: folder.file("two.json"), .json, to: path, format)
            let devices = try TrackFormatTests.read(path, format).map { $0.event.location?.extra.device }
            #expect(devices.prefix(4) == ["/dev/a", "/dev/b", "/dev/a", "/dev/b"])
        }
    }
}
