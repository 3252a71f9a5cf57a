#if Command && Server && Store
import Foundation
import TaffrailStore
import TaffrailTestSupport
import TaffrailTracks
import Testing

@testable import TaffrailCommand

@Suite(.mayBlock) struct ViewedFormatTests {
    @Test func `files of one name have their own positions and devices`() throws {
        let folder = TemporaryDirectory()
        let paths = ["jane", "john"].map { folder.file($0) + "/2026-01.rec" }
        for (number, path) in paths.enumerated() {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            let line =
                "2026-01-05T14:30:00Z\t*                 \t"
                + #"{"_type":"location","lat":5\#(number),"lon":12,"tst":1767623400}"# + "\n"
            try line.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let viewed = ViewedFiles(in: folder.path, of: paths)
        for path in paths { try viewed.add(path) }
        try viewed.finish()
        #expect(viewed.count == 2)
        let devices = try StoreReader(viewed.trackPath).devices().sorted()
        #expect(devices == ["jane/2026-01", "john/2026-01"])
    }

    @Test(arguments: [
        (["day.csv", "day.gpx"], ["DIR/day.csv", "DIR/day.gpx"]),
        (["a/phone/day.csv", "b/phone/day.csv"], ["DIR/a/phone/day.csv", "DIR/b/phone/day.csv"]),
        (["a/day.csv", "a/day.gpx", "b/day.csv", "other.csv"], ["DIR/a/day.csv", "DIR/a/day.gpx", "b/day", "other"]),
    ]) func `files whose directories have the same name too have their paths as names`(
        files: [String], devices: [String]
    ) throws {
        let folder = TemporaryDirectory()
        let paths = files.map(folder.file)
        for path in paths {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            let text =
                path.hasSuffix(".csv")
                ? "time,latitude,longitude\n2026-01-05T14:30:00Z,55,12\n"
                : #"<gpx><trk><trkseg><trkpt lat="55" lon="12"><time>2026-01-05T14:30:00Z</time></trkpt></trkseg></trk></gpx>"#
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let viewed = ViewedFiles(in: folder.path, of: paths)
        for path in paths { try viewed.add(path) }
        try viewed.finish()
        let found = try StoreReader(viewed.trackPath).devices().sorted()
        #expect(found == devices.map { $0.replacing("DIR", with: folder.path) }.sorted())
    }

    @Test(arguments: [
        ("drive.gpx", "<gpx", "track gpx"), ("drive.JSON", #"{"metadata":{"version":"1.0"},"events":["#, "track json"),
        ("app.json", "{\"level\":\"info\",\"message\":\"left\"}\n{", "log"),
        ("app.log", "[2026-01-05 14:30:00.123] [INFO] left", "log"),
        ("gps.log", "$GPRMC,123519,A,4807.038,N,01131.000,E", "track nmea"), ("notes.txt", "", "log"),
        ("monday.rec", "2026-01-05T14:00:00Z\t*\t{}", "points ownTracks"),
        ("Records.json", #"{"locations":["#, "points google"),
        ("app.ndjson", "{}", "log"), ("syslog", "Jan  5 14:30:00 pier3 ferry[7]: left", "log"),
    ]) func `a file is what its name and its beginning say`(name: String, text: String, wanted: String) throws {
        let folder = TemporaryDirectory()
        try folder.write(text, to: name)
        let found =
            switch try ViewedFormat(of: folder.file(name)) {
            case .log: "log"
            case .track(let format): "track \(format.rawValue)"
            case .points(let format): "points \(format)"
            }
        #expect(found == wanted)
    }

    @Test(arguments: [
        (#"{"metadata":{"version":"1.0"},"events":[]}"#, ViewedFormat.track(.json)),
        ("{\"level\":\"info\",\"message\":\"left\"}\n{", .log),
    ]) func `a compressed file is a recording or a log`(text: String, wanted: ViewedFormat) throws {
        let folder = TemporaryDirectory()
        try folder.write(text, to: "a.json")
        try Gzip.compress(folder.file("a.json"))
        #expect(try ViewedFormat(of: folder.file("a.json.gz")) == wanted)
    }

    @Test func `a directory has logs, and what is missing is reported`() throws {
        let folder = TemporaryDirectory()
        #expect(try ViewedFormat(of: folder.path) == .log)
        #expect(throws: (any Error).self) { try ViewedFormat(of: folder.file("none.json")) }
    }

    @Test func `a temporary folder is deleted with what is in it`() throws {
        let folder = try ViewDirectory()
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: folder.path + "/a/b/c"))
        let attributes = try manager.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        folder.remove()
        #expect(!manager.fileExists(atPath: folder.path))
    }
}
#endif
