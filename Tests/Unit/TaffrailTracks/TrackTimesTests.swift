import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

/// Tracks whose files leave times out.
@Suite(.mayBlock) struct TrackTimesTests {
    static let start = SampleDrive.start

    static func read(_ reader: any TrackReader) throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    /// The events of a schedule: a number is a position at that second, `nil` one without a time, and `-1` an error.
    static func schedule(_ seconds: [Double?]) -> [RecordedEvent] {
        var schedule = TrackSchedule()
        for second in seconds {
            if second == -1 {
                schedule.add(.error(.locationUnknown()), time: nil)
            } else {
                schedule.add(Location(latitude: 1, longitude: 2), time: second.map { start + .seconds($0) })
            }
        }
        schedule.finish()
        var events: [RecordedEvent] = []
        while let event = schedule.next() { events.append(event) }
        return events
    }

    @Test func `events without a time lie between their neighbours`() {
        let events = Self.schedule([-1, nil, nil, 0, nil, 10, nil, nil, nil, 11, -1, 12, nil, nil])
        let times = events.map { $0.timestamp.seconds(since: Self.start) }
        #expect(times == [-2, -2, -1, 0, 1, 10, 10.25, 10.5, 10.75, 11, 11, 12, 13, 14])
        #expect(events.map(\.relativeTime) == times.map { $0 + 2 })
        let untimed = events.map { $0.event.location?.extra.hasNoTime ?? $0.event.error?.hasNoTime == true }
        #expect(untimed.indices.filter { untimed[$0] } == [0, 1, 2, 4, 6, 7, 8, 10, 12, 13])
    }

    @Test func `an error before the first position is at its time`() {
        let events = Self.schedule([-1, 0, 1])
        #expect(events.map(\.relativeTime) == [0, 0, 1] && events[0].timestamp == Self.start)
    }

    @Test func `a time that goes back moves nothing before its neighbour`() {
        let times = Self.schedule([5, nil, 3]).map { $0.timestamp.seconds(since: Self.start) }
        #expect(times == [5, 5, 3])
    }

    @Test func `a track without times is a second a position from 1970 on`() {
        let events = Self.schedule([-1, nil, nil, -1, nil])
        #expect(events.map(\.timestamp.secondsSince1970) == [0, 0, 1, 1, 2])
        #expect(events.map(\.relativeTime) == [0, 0, 1, 1, 2])
    }

    @Test func `many events before the first time do not stand for decades`() {
        let count = TrackSchedule.limit + 10
        let events = Self.schedule([Double?](repeating: nil, count: count) + [0, 1])
        #expect(events.count == count + 2)
        #expect(zip(events, events.dropFirst()).allSatisfy { $1.relativeTime - $0.relativeTime <= 1 })
        #expect(events.last?.relativeTime == Double(count) + 1)
    }

    @Test(.enabled(if: TestData.isThere, "\(TestData.reason)"), arguments: ["haicom-305N", "bt451"])
    func `a receiver's log that starts without times keeps its duration`(name: String) throws {
        let events = try Self.read(TrackFormat.nmea.reader(path: TestData.path("nmea/\(name).log")))
        #expect(events.count > 10)
        #expect(try #require(events.last).relativeTime < 1_000)
        #expect(events.allSatisfy { $0.timestamp.secondsSince1970 > 1e9 })
        let folder = TemporaryDirectory()
        let recording = folder.file("drive.json")
        _ = try TrackConversion(from: TestData.path("nmea/\(name).log"), .nmea, to: recording, .json)
        #expect(try RecordingInfo(path: recording).duration < 1_000)
        for format in TrackFormat.allCases where format != .json {
            let path = folder.file("out.\(format.rawValue)")
            _ = try TrackConversion(from: recording, .json, to: path, format)
            #expect(!folder.text("out.\(format.rawValue)").contains("1970"))
        }
    }

    @Test(arguments: TrackFormat.allCases) func `exports omit synthetic times`(format: TrackFormat) throws {
        let folder = TemporaryDirectory()
        try folder.write(
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='3'/></trkseg><trkseg><trkpt lat='1' lon='4'/>"
                + "</trkseg></trk></gpx>", to: "a.gpx")
        let path = folder.file("b.\(format.rawValue)")
        _ = try TrackConversion(from: folder.file("a.gpx"), .gpx, to: path, format)
        let text = folder.text("b.\(format.rawValue)")
        // A recording is dated by the file's last change, whose fraction may have any digits.
        #expect(!text.contains("1970-"))
        if format != .json { #expect(!text.contains("1970") && !text.contains("010170"), "\(text)") }
        let events = try Self.read(format.reader(path: path))
        let locations = events.compactMap(\.event.location)
        #expect(locations.map(\.coordinate.longitude) == [2, 3, 4])
        #expect(locations.allSatisfy { $0.extra.hasNoTime == true })
        #expect(try #require(events.last).relativeTime <= 2)
    }

    @Test func `a lost fix without a time has none in exports`() throws {
        let folder = TemporaryDirectory()
        let sentences = [
            "GPRMC,,V,,,,,,,,,,N", "GPRMC,143000.00,A,5540.0000,N,01200.0000,E,1.0,90.0,050126,,,A",
        ]
        let lines = sentences.map { body in
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
        }
        try folder.write(lines.joined(), to: "a.nmea")
        let recording = folder.file("a.json")
        _ = try TrackConversion(from: folder.file("a.nmea"), .nmea, to: recording, .json)
        let events = try Self.read(TrackFormat.json.reader(path: recording))
        #expect(events.map { $0.event.error?.hasNoTime } == [true, nil])
        for format in [TrackFormat.nmea, .geojson] {
            _ = try TrackConversion(from: recording, .json, to: folder.file("b.\(format.rawValue)"), format)
        }
        #expect(folder.text("b.nmea").contains("$GPRMC,,V,") && !folder.text("b.nmea").contains("0,V,"))
        #expect(folder.text("b.geojson").contains("\"properties\":{\"hasNoTime\":true,\"type\":\"error\""))
        // In a record as well.
        let record = events[0].event.record()
        #expect(record["taffrail.geo.no_time"] == .bool(true) && GeoEvent(record) == events[0].event)
        // As if it happened now, it has one.
        var options = ReplayOptions(path: recording, isAsFastAsPossible: true)
        options.timeMode = .now
        var errors: [GeoError] = []
        try ReplayPlayer(options).run { if let error = $0.event.error { errors.append(error) } }
        #expect(errors.map(\.hasNoTime) == [false])
    }

    @Test(arguments: [2, TrackSchedule.limit + 2])
    func `a file without times is dated by its last change`(count: Int) throws {
        let folder = TemporaryDirectory()
        let rows = (0..<count).map { "1,\(Double($0) / 1_000)," }
        let timed = count > TrackSchedule.limit ? ["1,8,2026-01-05T14:30:00Z"] : []
        try folder.write("lat,lon,time\n" + (rows + timed).joined(separator: "\n") + "\n", to: "a.csv")
        let change = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: change], ofItemAtPath: folder.file("a.csv"))
        _ = try TrackConversion(from: folder.file("a.csv"), .csv, to: folder.file("a.json"), .json)
        let reader = try TrackFormat.json.reader(path: folder.file("a.json"))
        let events = try Self.read(reader)
        #expect(events.prefix(2).map(\.timestamp.secondsSince1970) == [1_700_000_000, 1_700_000_001])
        #expect(events.prefix(2).allSatisfy { $0.event.location?.extra.hasNoTime == true })
        #expect(reader.metadata?.recordedAt.secondsSince1970 == 1_700_000_000)
        // Programs to which it is replayed are not told of that time.
        var first: [Timestamp] = []
        try ReplayPlayer(ReplayOptions(path: folder.file("a.csv"), isAsFastAsPossible: true)).run(
            prepare: { first.append($0) }, { _ in })
        #expect(first == [Timestamp(nanoseconds: 0)])
    }

    @Test(.enabled(if: Program.areThere("gpsbabel"), "gpsbabel is not installed"), arguments: ["kml", "gpx"])
    func `gpsbabel reads exports without times`(format: String) throws {
        let folder = TemporaryDirectory()
        try folder.write("lat,lon,alt\n1,2,3\n1,3,4\n", to: "a.csv")
        let kind = try #require(TrackFormat(rawValue: format))
        _ = try TrackConversion(from: folder.file("a.csv"), .csv, to: folder.file("b.\(format)"), kind)
        let result = try Program.run(
            ["-t", "-i", format, "-f", folder.file("b.\(format)"), "-o", "unicsv", "-F", folder.file("c")],
            of: "gpsbabel")
        #expect(result.code == 0, "\(result.errors)")
        #expect(folder.text("c").contains("1.000000,3.000000"), "\(folder.text("c"))")
    }

    @Test func `as if it happened now, every position has a time`() throws {
        let folder = TemporaryDirectory()
        try folder.write("lat,lon\n1,2\n1,3\n", to: "a.csv")
        var options = ReplayOptions(path: folder.file("a.csv"), isAsFastAsPossible: true)
        options.timeMode = .now
        var seen: [Location] = []
        try ReplayPlayer(options).run { if let location = $0.event.location { seen.append(location) } }
        #expect(
            seen.count == 2 && seen.allSatisfy { $0.extra.hasNoTime == nil && $0.timestamp.secondsSince1970 > 1.7e9 })
    }

    // MARK: XML and JSON of others

    @Test func `empty elements of GPX and KML are unknown values`() throws {
        let gpx = "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time/><ele/></trkpt></trkseg></trk></gpx>"
        #expect(try Self.read(GPXReader(gpx.utf8)).map { $0.event.location?.extra.hasNoTime } == [true])
        let kml = """
            <kml><Track><when>2026-01-05</when><when/><when>2026-01-05T14:30Z</when><when>2026-01</when>
            <coord>1 2 3</coord><coord>2 3 4</coord><coord/><coord>4 5 6</coord></Track></kml>
            """
        let events = try Self.read(KMLReader(kml.replacing("T14:30Z", with: "T14:30:00Z").utf8))
        #expect(events.compactMap { $0.event.location?.coordinate.longitude } == [1, 2, 4])
        #expect(events.first?.timestamp == RFC3339.timestamp("2026-01-05T00:00:00Z"))
        #expect(events.map { $0.event.location?.extra.hasNoTime } == [nil, true, nil])
    }

    @Test func `GeoJSON may begin with a mark`() throws {
        let reader = GeoJSONReader("\u{FEFF}{\"type\":\"Point\",\"coordinates\":[7,8]}".utf8)
        #expect(try Self.read(reader).count == 1)
    }

    @Test func `a GPX file in another encoding and with a document type is read`() throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE gpx>\n<gpx><trk><name>Køge</name><src>Gerät</src>"
            + "<trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
        let folder = TemporaryDirectory()
        try folder.write(text.unicodeScalars.map { UInt8($0.value) }, to: "a.gpx")
        let events = try Self.read(TrackFormat.gpx.reader(path: folder.file("a.gpx")))
        #expect(events.map { $0.event.location?.extra.device } == ["Gerät"])
    }

    @Test func `coordinates of GPX have nine decimals at most`() throws {
        let folder = TemporaryDirectory()
        let writer = TrackFormat.gpx.writer(try TextOutput(path: folder.file("a.gpx")))
        try writer.begin(nil, name: "")
        for value in [1.0 / 3, -0.1 - 0.2, 1e-10, 179.999_999_999_9] {
            try writer.append(
                RecordedEvent(
                    timestamp: Self.start, relativeTime: 0,
                    event: .location(Location(latitude: value / 4, longitude: value, timestamp: Self.start))))
        }
        try writer.finish()
        let text = folder.text("a.gpx")
        let decimals = text.matches(of: /l(?:at|on)="-?\d+(?:\.(\d+))?"/).map { $0.output.1?.count ?? 0 }
        #expect(decimals.count == 8 && decimals.allSatisfy { $0 <= 9 } && decimals.contains(9), "\(text)")
        #expect(text.contains("lon=\"-180.0\""))
    }
}
