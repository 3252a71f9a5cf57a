import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

@Suite(.mayBlock) struct TrackFormatTests {
    /// A track with everything that is awkward: the antimeridian, depths, markup in names, gaps, values that are missing.
    static func events() -> [RecordedEvent] {
        var generator = SeededGenerator(seed: 91)
        var events: [RecordedEvent] = []
        for index in 0..<200 {
            let moment = SampleDrive.start + .seconds(index)
            if index % 50 == 49 {
                events.append(
                    RecordedEvent(
                        timestamp: moment, relativeTime: Double(index), event: .error(.locationUnknown("tunnel <&>"))))
                continue
            }
            var location = Location.random(&generator)
            location.timestamp = moment
            location.extra.hasNoTime = nil
            location.extra.geoidSeparation = nil
            if index == 3 { location.coordinate = Coordinate(latitude: -12.3, longitude: 180) }
            if index == 4 { location.coordinate = Coordinate(latitude: 1e-7, longitude: -1.25e-6) }
            if index == 5 { location.altitude = -12.3 }
            if let altitude = location.altitude, location.ellipsoidalAltitude != nil {
                location.altitude = (altitude * 1_000).rounded() / 1_000
                location.ellipsoidalAltitude = ((altitude + 40) * 1_000).rounded() / 1_000
            }
            events.append(RecordedEvent(timestamp: moment, relativeTime: Double(index), event: .location(location)))
        }
        return events
    }

    static func write(_ events: [RecordedEvent], _ format: TrackFormat, to path: String) throws -> TrackLosses {
        let writer = format.writer(try TextOutput(path: path))
        try writer.begin(SampleDrive.metadata(), name: "<drive> & \"back\"")
        for event in events { try writer.append(event) }
        try writer.finish()
        return writer.losses
    }

    static func read(_ path: String, _ format: TrackFormat) throws -> [RecordedEvent] {
        let reader = try format.reader(path: path)
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    static func fields(of location: Location) -> Set<LocationField> {
        var fields: Set<LocationField> = []
        location.forEachField { field, _ in fields.insert(field) }
        return fields
    }

    @Test(arguments: TrackFormat.allCases)
    func `values that a format keeps are read back unchanged, and lost ones are counted`(format: TrackFormat) throws {
        let folder = TemporaryDirectory()
        let path = folder.file("track.\(format.rawValue)")
        let events = Self.events()
        let losses = try Self.write(events, format, to: path)
        let read = try Self.read(path, format)
        let before = events.compactMap(\.event.location)
        let after = read.compactMap(\.event.location)
        try #require(before.count == after.count)
        for (one, other) in zip(before, after) {
            #expect(abs(one.coordinate.latitude - other.coordinate.latitude) < 2e-9)
            let east = one.coordinate.longitude - other.coordinate.longitude
            #expect(abs(east.remainder(dividingBy: 360)) < 2e-9)
            #expect(one.timestamp == other.timestamp)
            let found = Self.fields(of: other)
            for field in Self.fields(of: one) where field != .geoidSeparation {
                guard let name = TrackLosses.name(of: field), losses.counts[name] == nil else { continue }
                #expect(found.contains(field), "\(field)")
            }
            if losses.counts["altitude"] == nil, let altitude = one.altitude {
                #expect(abs((other.altitude ?? .nan) - altitude) < 0.001)
            }
            if losses.counts["speed"] == nil { #expect(abs((one.speed ?? -1) - (other.speed ?? -1)) < 1e-4) }
            if losses.counts["course"] == nil { #expect(abs((one.course ?? -1) - (other.course ?? -1)) < 1e-4) }
            if losses.counts["horizontalAccuracy"] == nil, format != .nmea {
                #expect(one.horizontalAccuracy == other.horizontalAccuracy)
            }
        }
        if format == .json { #expect(read == events && losses.counts.isEmpty) }
        if format == .geojson { #expect(losses.counts.isEmpty && read.map(\.event) == events.map(\.event)) }
        if format == .csv { #expect(losses.counts == ["error": 4]) }
        // A gap between two positions is one in every format but a table.
        if format != .csv && format != .kml { #expect(read.count { $0.event.error != nil } >= 3) }
    }

    @Test(arguments: TrackFormat.allCases) func `an empty track is a complete file`(format: TrackFormat) throws {
        let folder = TemporaryDirectory()
        let path = folder.file("track.\(format.rawValue)")
        _ = try Self.write([], format, to: path)
        if format == .nmea {
            #expect(throws: RecordingError.self) { try Self.read(path, format) }
        } else {
            #expect(try Self.read(path, format).isEmpty)
        }
    }

    @Test func `a file that appears while another one is written is not replaced by it`() throws {
        let folder = TemporaryDirectory()
        let output = try TextOutput(path: folder.file("a.gpx"))
        let forced = try TextOutput(path: folder.file("b.gpx"), overwrites: true)
        for name in ["a.gpx", "b.gpx"] { try folder.write("theirs", to: name) }
        for one in [output, forced] { one.append(Array("ours".utf8)) }
        let error = #expect(throws: RecordingError.self) { try output.finish() }
        try forced.finish()
        #expect(error?.kind == .taken && folder.text("a.gpx") == "theirs" && folder.text("b.gpx") == "ours")
    }

    @Test func `a file that is being written is hidden, and no recorder deletes it`() throws {
        let folder = TemporaryDirectory()
        let output = try TextOutput(path: folder.file("a.gpx"))
        output.append(Array("whole".utf8))
        #expect(folder.names.count == 1 && folder.names.allSatisfy { $0.hasPrefix(".") })
        HiddenFile.removeLeftovers(folder.names, in: folder.path)
        try output.finish()
        #expect(folder.names == ["a.gpx"] && folder.text("a.gpx") == "whole")
        _ = try TextOutput(path: folder.file("b.gpx"))
        #expect(folder.names == ["a.gpx"])
    }

    @Test func `the next conversion deletes the hidden file of a killed one, and no other file`() throws {
        let folder = TemporaryDirectory()
        func setOld(_ name: String) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3_700)], ofItemAtPath: folder.file(name))
        }
        // Closed without a new name, as by SIGKILL.
        func leave() throws -> String {
            let before = Set(folder.names)
            _ = try HiddenFile(for: folder.file("a.gpx"))
            let name = try #require(Set(folder.names).subtracting(before).first)
            #expect(name.hasPrefix(".a.gpx.taffrail-") && name.hasSuffix(".new"))
            return name
        }
        let living = try TextOutput(path: folder.file("a.gpx"))
        let livingName = try #require(folder.names.first)
        let kept = [
            ".a.gpx.new", ".a.gpx.notes.new", ".a.gpx.original.new", ".a.gpx.backup2026.new", ".a.gpx.taffrail-.new",
            ".a.gpx.taffrail-my notes.new", ".a.gpx.taffrail-1.new.old", ".b.gpx.taffrail-1.new",
            "a.gpx.taffrail-1.new",
        ]
        for name in kept { try folder.write("theirs", to: name) }
        let link = ".a.gpx.taffrail-2.new"
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(link), withDestinationPath: folder.file(".a.gpx.new"))
        for name in kept + [livingName] { try setOld(name) }
        let young = try leave()
        let old = try leave()
        try setOld(old)
        let before = Set(folder.names)
        let next = try TextOutput(path: folder.file("a.gpx"), overwrites: true)
        #expect(before.subtracting(folder.names) == [old] && folder.names.count == before.count)
        try living.finish()
        try next.finish()
        #expect(Set(folder.names) == Set(kept + [link, young, "a.gpx"]))
    }

    @Test func `formats are recognized by their files' extensions`() {
        #expect(TrackFormat(path: "/a/b.GPX") == .gpx)
        #expect(TrackFormat(path: "drive.geojson") == .geojson)
        #expect(TrackFormat(path: "receiver.log") == .nmea)
        #expect(
            TrackFormat(path: "a.gpx/b") == nil && TrackFormat(path: "x") == nil && TrackFormat(path: "x.doc") == nil)
        // Compressed recordings are only read.
        #expect(TrackFormat(source: "a.json.gz") == .json && TrackFormat(source: "a.gpx") == .gpx)
        #expect(TrackFormat(path: "a.json.gz") == nil && TrackFormat(source: "a.gpx.gz") == nil)
    }

    @Test func `GPX is read with either speed, and segments are gaps`() throws {
        let gpx = """
            <?xml version="1.0"?><gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0">
            <wpt lat="1" lon="2"><name>pier</name></wpt>
            <trk><trkseg><trkpt lat="55.1" lon="12.2"><ele>3</ele><time>2026-01-05T14:30:00Z</time><course>90</course>
            <speed>2.5</speed></trkpt></trkseg><trkseg/><trkseg>
            <trkpt lat="55.2" lon="12.2"><time>2026-01-05T17:30:10+03:00</time><geoidheight>40</geoidheight><ele>1</ele>
            <extensions><x:TrackPointExtension xmlns:x="y"><x:hr>90</x:hr><x:speed>4</x:speed></x:TrackPointExtension>
            <z><q>1</q></z></extensions></trkpt></trkseg></trk></gpx>
            """
        let reader = GPXReader(gpx.utf8)
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        #expect(events.map(\.relativeTime) == [0, 0, 10])
        #expect(events[0].event.location?.speed == 2.5 && events[0].event.location?.course == 90)
        #expect(events[1].event.error?.code == 0)
        #expect(events[2].event.location?.speed == 4 && events[2].event.location?.ellipsoidalAltitude == 41)
    }

    @Test func `points without times are a second apart, and stay without`() throws {
        let gpx = "<gpx><rte><rtept lat='1' lon='2'/><rtept lat='1' lon='3'/></rte></gpx>"
        let reader = GPXReader(gpx.utf8)
        let first = try #require(try reader.next())
        let second = try #require(try reader.next())
        #expect(second.relativeTime - first.relativeTime == 1 && second.event.location?.extra.hasNoTime == true)
    }

    @Test(arguments: [
        ("gpx", "<kml/>"), ("gpx", "<gpx><trk><trkseg><trkpt lat='1'/></trkseg></trk></gpx>"),
        ("gpx", "<gpx><trk><trkseg><trkpt lat='91' lon='0'/></trkseg></trk></gpx>"),
        ("gpx", "<gpx><trk><trkseg><trkpt lat='1' lon='2'><ele>high</ele></trkpt></trkseg></trk></gpx>"),
        ("gpx", "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time>noon</time></trkpt></trkseg></trk></gpx>"),
        ("gpx", "<gpx><trk><trkseg><trkpt lat='1' lon='2'>"), ("geojson", "[]"), ("geojson", "{}"),
        ("geojson", "{\"type\":\"x\"}"),
        ("geojson", "{\"type\":\"Feature\",\"geometry\":{\"coordinates\":[200,1]}}"),
        ("geojson", "{\"features\":[{\"geometry\":{\"coordinates\":[[1,2],3]}}]}"),
        ("geojson", "{\"features\":[{\"geometry\":"),
        ("kml", "<gpx/>"), ("kml", "<kml><Track><when>x</when></Track></kml>"),
        ("kml", "<kml><Track><when>2026-01-05T14:30:00Z</when></Track></kml>"),
        ("kml", "<kml><Track><coord>1 x 2</coord></Track></kml>"), ("csv", ""), ("csv", "a,b\n1,2\n"),
        ("csv", "lat,lon\n1\n"),
        ("csv", "lat,lon\n1,x\n"), ("csv", "time,lat,lon\nnoon,1,2\n"), ("csv", "lat,lon\n\"1,2\n"),
        ("nmea", "hello\n"),
    ])
    func `a wrong file is an error that names the line, and nothing is left of the new one`(
        ending: String, text: String
    ) throws {
        let folder = TemporaryDirectory()
        try folder.write(text, to: "a.\(ending)")
        let format = try #require(TrackFormat(rawValue: ending))
        let error = #expect(throws: RecordingError.self) {
            try TrackConversion(from: folder.file("a.\(ending)"), format, to: folder.file("b.json"), .json)
        }
        #expect(error?.kind == .malformed && error?.description.contains("a.\(ending):") == true)
        #expect(folder.names == ["a.\(ending)"])
    }

    @Test func `lines of GeoJSON have the times of their properties`() throws {
        let text = """
            {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"coordTimes":["2026-01-05T14:30:00Z",
            "2026-01-05T14:30:05Z"]},"geometry":{"type":"LineString","coordinates":[[12,55,30],[12.1,55]]}},
            {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[1,2]],[[3,4],[5,6]]]},"properties":null},
            {"type":"Feature","geometry":null,"properties":{"x":[{"y":1}]}}]}
            """
        let reader = GeoJSONReader(text.utf8)
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        #expect(events.map { $0.event.location?.coordinate.longitude } == [12, 12.1, nil, 1, nil, 3, 5])
        #expect(events[1].relativeTime == 5 && events[0].event.location?.ellipsoidalAltitude == 30)
        let alone = GeoJSONReader("{\"type\":\"Point\",\"coordinates\":[7,8]}".utf8)
        #expect(try alone.next()?.event.location?.coordinate == Coordinate(latitude: 8, longitude: 7))
    }

    @Test func `KML is read with times ahead of the coordinates, and lines without any`() throws {
        let kml = """
            <kml xmlns:gx="x"><Placemark><gx:Track><altitudeMode>absolute</altitudeMode><when>2026-01-05T14:30:00Z</when>
            <when>2026-01-05T14:30:02Z</when><gx:coord>12 55 7</gx:coord><gx:coord>12 56 8</gx:coord></gx:Track></Placemark>
            <LineString><coordinates> 1,2,3
            4,5 </coordinates></LineString><Point><coordinates>9,9</coordinates></Point></kml>
            """
        let reader = KMLReader(kml.utf8)
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        #expect(events.map { $0.event.location?.coordinate.latitude } == [55, 56, nil, 2, 5])
        #expect(events.map { $0.event.location?.altitude } == [7, 8, nil, nil, nil])
        #expect(events[1].relativeTime == 2)
    }

    @Test func `tables are read with other names, separators and quotes`() throws {
        let csv =
            "\u{FEFF}Lat;LON;Name;Timestamp;Accuracy\r\n\"55.5\";12;\"a \"\"b\"\";\nc\";2026-01-05 14:30:00;-1\r\n\r\n1;2;;;3"
        let reader = CSVReader(csv.utf8)
        let first = try #require(try reader.next())
        let second = try #require(try reader.next())
        #expect(first.event.location?.coordinate == Coordinate(latitude: 55.5, longitude: 12))
        #expect(first.event.location?.horizontalAccuracy == nil && second.event.location?.horizontalAccuracy == 3)
        #expect(try reader.next() == nil)
    }

    @Test(arguments: [
        (TrackFormat.csv, "lat,lon,course\n1,2,COURSE\n"),
        (.geojson, #"{"geometry":{"type":"Point","coordinates":[2,1]},"properties":{"course":COURSE}}"#),
        (.gpx, "<gpx><trk><trkseg><trkpt lat='1' lon='2'><course>COURSE</course></trkpt></trkseg></trk></gpx>"),
        (
            .json,
            #"{"events":[{"type":"location","relativeTime":0,"timestamp":"2026-01-05T14:30:00Z","#
                + #""data":{"coordinate":{"latitude":1,"longitude":2},"course":COURSE}}]}"#
        ),
    ]) func `a course is less than 360 degrees`(format: TrackFormat, text: String) throws {
        let folder = TemporaryDirectory()
        for (written, course) in [("359.5", 359.5), ("360", 0), ("655.35", nil), ("-1", nil)] as [(String, Double?)] {
            try folder.write(text.replacing("COURSE", with: written), to: "a")
            let events = try Self.read(folder.file("a"), format)
            #expect(events.count == 1 && events.first?.event.location?.course == course, "\(written)")
        }
    }

    @Test(arguments: TrackFormat.allCases) func `damaged files end in an error or in places on the earth`(
        format: TrackFormat
    ) throws {
        let folder = TemporaryDirectory()
        _ = try Self.write(Array(Self.events().prefix(8)), format, to: folder.file("a"))
        let whole = try folder.bytes("a")
        var generator = SeededGenerator(seed: 92)
        for _ in 0..<400 {
            try Data(generator.damaged(whole)).write(to: URL(filePath: folder.file("b")))
            do {
                for event in try Self.read(folder.file("b"), format) {
                    if let location = event.event.location { #expect(location.coordinate.isValid) }
                    #expect(event.relativeTime >= 0)
                }
            } catch let error as RecordingError {
                #expect(!error.reason.isEmpty)
            }
        }
    }
}
