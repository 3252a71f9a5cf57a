import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText
@testable import TaffrailTracks

/// Our files in the hands of programs that are not ours.
@Suite(.mayBlock) struct TrackFormatReferenceTests {
    @Test(
        .enabled(if: TestData.isThere, "\(TestData.reason)"),
        .enabled(if: Program.areThere("xmllint"), "xmllint is not installed (libxml2-utils)"))
    func `every GPX export passes the schemas of GPX 1.1 and of Garmin's extension`() throws {
        let folder = TemporaryDirectory()
        try folder.write(
            """
            <xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema">
            <xsd:import namespace="http://www.topografix.com/GPX/1/1" schemaLocation="\(TestData.path("schema/gpx11.xsd"))"/>
            <xsd:import namespace="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"
            schemaLocation="\(TestData.path("schema/TrackPointExtensionv2.xsd"))"/></xsd:schema>
            """, to: "all.xsd")
        var generator = SeededGenerator(seed: 93)
        for round in 0..<12 {
            let path = folder.file("\(round).gpx")
            let events =
                round == 0
                ? []
                : round == 1
                    ? TrackFormatTests.events()
                    : (0..<40).map { index in
                        RecordedEvent(
                            timestamp: SampleDrive.start, relativeTime: Double(index),
                            event: .location(Location.random(&generator)))
                    }
            _ = try TrackFormatTests.write(events, .gpx, to: path)
            let result = try Program.run(["--noout", "--schema", folder.file("all.xsd"), path], of: "xmllint")
            #expect(result.code == 0, "\(result.errors)")
        }
    }

    /// Positions as gpsbabel reads them from a file.
    static func gpsbabel(_ path: String, _ format: String, points: Bool = false) throws -> [[String: String]] {
        let arguments = (points ? [] : ["-t"]) + ["-i", format, "-f", path, "-o", "unicsv,utc=0", "-F", "-"]
        let result = try Program.run(arguments, of: "gpsbabel")
        #expect(result.code == 0, "\(result.errors)")
        let lines = result.output.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let names = try #require(lines.first).map(String.init)
        return lines.dropFirst().map { line in Dictionary(zip(names, line.map(String.init)), uniquingKeysWith: { $1 }) }
    }

    @Test(
        .enabled(if: Program.areThere("gpsbabel"), "gpsbabel is not installed"),
        arguments: [("gpx", "gpx"), ("kml", "kml"), ("nmea", "nmea"), ("csv", "unicsv"), ("geojson", "geojson")])
    func `gpsbabel reads every export back to the same points`(ending: String, theirs: String) throws {
        let folder = TemporaryDirectory()
        let format = try #require(TrackFormat(rawValue: ending))
        var events: [RecordedEvent] = []
        for index in 0..<50 {
            var location = Location(
                latitude: 55 + Double(index) * 0.000_123, longitude: -12 + Double(index) * 0.000_456,
                timestamp: SampleDrive.start + .seconds(Double(index) * 1.25))
            location.altitude = -12.5 + Double(index)
            location.ellipsoidalAltitude = 30.5 + Double(index)
            location.speed = 5
            location.course = Double(index)
            location.horizontalAccuracy = 7.6
            location.verticalAccuracy = 9.2
            location.speedAccuracy = 0.5
            location.courseAccuracy = 2
            location.extra.satellites = 9
            events.append(
                RecordedEvent(timestamp: location.timestamp, relativeTime: Double(index), event: .location(location)))
        }
        _ = try TrackFormatTests.write(events, format, to: folder.file("a.\(ending)"))
        let points = try Self.gpsbabel(folder.file("a.\(ending)"), theirs, points: format == .geojson)
        try #require(points.count == 50)
        for (point, event) in zip(points, events) {
            let location = try #require(event.event.location)
            #expect(abs((Double(point["Latitude"] ?? "") ?? 0) - location.coordinate.latitude) < 1.1e-6)
            #expect(abs((Double(point["Longitude"] ?? "") ?? 0) - location.coordinate.longitude) < 1.1e-6)
            // gpsbabel 1.8 reads no heights and no times from GeoJSON.
            guard format != .geojson else { continue }
            #expect(abs((Double(point["Altitude"] ?? "") ?? 0) - (location.altitude ?? 0)) < 0.06, "\(point)")
            let time = "\(point["Date"] ?? "")T\(point["Time"] ?? "")Z".replacing("/", with: "-")
            #expect(RFC3339.timestamp(time) == location.timestamp, "\(time)")
            if format == .csv || format == .nmea {
                #expect(abs((Double(point["Speed"] ?? "") ?? 0) - 5) < 0.02, "\(point)")
                #expect(abs((Double(point["Course"] ?? "") ?? 0) - (location.course ?? 0)) < 0.1)
            }
        }
    }

    @Test(
        .enabled(if: TestData.isThere, "\(TestData.reason)"),
        arguments: ["around-visnjan-with-car.gpx", "cerknicko-jezero.gpx", "track-with-extremes.gpx"])
    func `real GPX files are read completely`(name: String) throws {
        let count = try TrackFormatTests.read(TestData.path("gpx/\(name)"), .gpx).count { $0.event.location != nil }
        let text = String(decoding: try TestData.bytes("gpx/\(name)"), as: UTF8.self)
        #expect(count == text.split(separator: "<trkpt").count - 1)
    }

    @Test(.enabled(if: TestData.isThere, "\(TestData.reason)")) func `a GPX file with every field is read`() throws {
        let events = try TrackFormatTests.read(TestData.path("gpx/gpx1.1_with_all_fields.gpx"), .gpx)
        let first = try #require(events.first { $0.event.location?.altitude == 11.1 }?.event.location)
        #expect(first.coordinate == Coordinate(latitude: 10.1, longitude: -20.2))
        #expect(
            first.extra.hdop == 101 && first.extra.vdop == 102 && first.extra.pdop == 103
                && first.extra.satellites == 100)
        #expect(first.timestamp == RFC3339.timestamp("2013-01-01T12:00:04Z"))
    }
}
