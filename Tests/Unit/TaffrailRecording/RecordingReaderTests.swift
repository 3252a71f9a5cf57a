import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText

@Suite struct RecordingReaderTests {
    static func events(_ text: String) throws -> [RecordedEvent] {
        var reader = RecordingReader(text.utf8)
        var events: [RecordedEvent] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    /// A recording as another program may have written it: indented, with the metadata in front.
    static let indented = """
        {
          "metadata": {
            "version": "1.0",
            "recordedAt": "2026-01-05T14:30:00Z",
            "device": "ferry",
            "systemVersion": "Debian GNU/Linux 12",
            "duration": 135.0,
            "eventCount": 2
          },
          "events": [
            {
              "type": "location",
              "timestamp": "2026-01-05T14:30:01Z",
              "relativeTime": 1.0,
              "data": {
                "coordinate": { "latitude": 55.7558, "longitude": 37.6173 },
                "altitude": 150.5, "horizontalAccuracy": 10.0, "verticalAccuracy": 15.0, "course": 180.0,
                "courseAccuracy": 5.0, "speed": 1.5, "speedAccuracy": 0.5, "floor": 0,
                "timestamp": "2026-01-05T14:30:01Z", "ellipsoidalAltitude": 151.2,
                "sourceInformation": { "isSimulatedBySoftware": false, "isProducedByAccessory": true }
              }
            },
            {
              "type": "error",
              "timestamp": "2026-01-05T14:32:15Z",
              "relativeTime": 135.0,
              "code": 1,
              "domain": "kCLErrorDomain",
              "description": "Location services denied"
            }
          ]
        }
        """

    @Test func `a recording of another program is read with every field`() throws {
        var reader = RecordingReader(Self.indented.utf8)
        let first = try #require(try reader.next())
        let location = try #require(first.event.location)
        #expect(first.relativeTime == 1 && first.timestamp == RFC3339.timestamp("2026-01-05T14:30:01Z"))
        #expect(location.coordinate == Coordinate(latitude: 55.7558, longitude: 37.6173))
        #expect(location.altitude == 150.5 && location.ellipsoidalAltitude == 151.2 && location.floor == 0)
        #expect(location.horizontalAccuracy == 10 && location.verticalAccuracy == 15)
        #expect(location.course == 180 && location.courseAccuracy == 5)
        #expect(location.speed == 1.5 && location.speedAccuracy == 0.5)
        #expect(location.sourceInformation == .init(isProducedByAccessory: true))
        let second = try #require(try reader.next())
        #expect(second.relativeTime == 135 && second.event.error == .denied("Location services denied"))
        let end = try reader.next()
        #expect(end == nil)
        let found = reader.metadata
        let metadata = try #require(found)
        #expect(metadata.device == "ferry" && metadata.duration == .seconds(135) && metadata.eventCount == 2)
        #expect(metadata.recordedAt == RFC3339.timestamp("2026-01-05T14:30:00Z"))
    }

    static func location(_ data: String) -> String {
        """
        {"events":[{"type":"location","timestamp":"2026-01-05T14:30:01Z","relativeTime":1,"data":{\(data)}}]}
        """
    }

    @Test func `null and negative values are missing ones`() throws {
        let events = try Self.events(
            Self.location(
                """
                "coordinate":{"latitude":1,"longitude":2},"altitude":null,"horizontalAccuracy":null,"verticalAccuracy":-1,
                "course":-1,"courseAccuracy":-1.0,"speed":-1,"speedAccuracy":-1,"floor":null,"sourceInformation":null
                """))
        let first = try #require(events.first)
        #expect(first.event == .location(Location(latitude: 1, longitude: 2, timestamp: first.timestamp)))
    }

    @Test(arguments: [
        #""coordinate":{"latitude":1,"longitude":2},"horizontalAccuracy":-1"#,
        #""coordinate":{"latitude":-180,"longitude":-180}"#,
        #""coordinate":null"#, #""altitude":3"#,
    ])
    func `a position that CoreLocation calls invalid is an error event`(data: String) throws {
        #expect(try Self.events(Self.location(data)).first?.event.error?.code == 0)
    }

    @Test func `unknown keys and types are ignored, and metadata may be last`() throws {
        var reader = RecordingReader(
            """
            {"x":[1,{"y":2}],"events":[{"type":"weather","relativeTime":0,"timestamp":"2026-01-05T14:30:00Z","w":{}},
            {"new":1,"relativeTime":2.5,"timestamp":"2026-01-05T14:30:02.500Z","data":{"new":[],
            "coordinate":{"latitude":1,"longitude":2,"z":3}},"type":"location"}],"metadata":{"version":"1.7","eventCount":2}}
            """.utf8)
        let event = try #require(try reader.next())
        #expect(event.relativeTime == 2.5 && event.event.location != nil)
        let end = try reader.next()
        let (unknown, count, version) = (reader.unknownEvents, reader.eventCount, reader.metadata?.version)
        #expect(end == nil && unknown == 1 && count == 2 && version == "1.7")
    }

    @Test(arguments: ["2.0", "0.9", "10", ""]) func `other versions are refused by name`(version: String) {
        let error = #expect(throws: RecordingError.self) {
            try Self.events("{\"metadata\":{\"version\":\"\(version)\"},\"events\":[]}")
        }
        #expect(error?.kind == .unsupportedVersion)
    }

    @Test func `a missing schedule is derived from the timestamps, and vice versa`() throws {
        let events = try Self.events(
            """
            {"metadata":{"version":"1.0","recordedAt":"2026-01-05T14:30:00Z"},"events":[
            {"type":"error","timestamp":"2026-01-05T14:30:01Z","code":0},
            {"type":"error","timestamp":"2026-01-05T14:30:03.5+00:00","code":0},
            {"type":"error","relativeTime":7,"code":0}]}
            """)
        #expect(events.map(\.relativeTime) == [0, 2.5, 7])
        #expect(events.last?.timestamp == RFC3339.timestamp("2026-01-05T14:30:08Z"))
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"events\":[}", "{\"events\":{}}", "{\"events\":[1]}", "{\"events\":[{}]}",
        "{\"events\":[],\"events\":[]}", "{\"events\":[{\"type\":\"error\"}]}", "{\"events\":[]} x",
        "{\"events\":[{\"type\":\"error\",\"timestamp\":\"yesterday\"}]}",
        "{\"events\":[{\"type\":\"location\",\"relativeTime\":1,\"data\":{\"speed\":\"fast\"}}]}",
    ])
    func `a file that is not a recording is an error`(text: String) {
        #expect(throws: RecordingError.self) { try Self.events(text) }
    }

    @Test func `a truncated recording yields its events and then an error at its end`() throws {
        let text = Self.indented.dropLast(120)
        var reader = RecordingReader(text.utf8, path: "drive.json")
        let first = try reader.next()
        #expect(first?.event.location != nil)
        do {
            _ = try reader.next()
            Issue.record("the end was not noticed")
        } catch {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(error.kind == .malformed && error.line == lines)
            #expect(error.description.hasPrefix("drive.json:\(lines): byte "))
        }
    }

    @Test func `a recording that is being written is read as it was when it was opened`() throws {
        let folder = TemporaryDirectory()
        let writer = try RecordingWriter(path: folder.file("a.json"), metadata: SampleDrive.metadata())
        for index in 0..<100 { writer.append(RecordingWriterTests.event(index)) }
        try writer.commit()
        var reader = try RecordingReader(path: writer.path)
        var read: [RecordedEvent] = []
        if let first = try reader.next() { read.append(first) }
        // The reader has the end of the file in memory, and some of the spaces after it.
        for index in 100..<2_000 { writer.append(RecordingWriterTests.event(index)) }
        try writer.commit()
        while let event = try reader.next() { read.append(event) }
        #expect(read == (0..<100).map { RecordingWriterTests.event($0) })
        let count = reader.metadata?.eventCount
        #expect(count == 100)
        try writer.close()
        let report = try RecordingReport(checking: writer.path)
        #expect(report.isIntact && report.events == 2_000)
    }

    @Test func `a missing file and an unreadable one are distinguished`() {
        #expect(Self.failure("/nonexistent/drive.json") == .missing)
        #expect(Self.failure("/proc/self/environ/x") == .missing)
    }

    static func failure(_ path: String) -> RecordingError.Kind? {
        do {
            _ = try RecordingReader(path: path)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `a log record reads back with everything but its text's formatting`() throws {
        let record = LogRecord(
            timestamp: RFC3339.timestamp("2026-01-05T14:30:01.250Z") ?? .now, sequence: 9_007_199_254_740_993,
            run: RingID(0xABCD), level: .error, message: "anchor \"dragging\"\n\u{1}", eventName: "anchor.drag",
            attributes: [
                LogValueEntry("depth", 12.5), LogValueEntry("chain", 40), LogValueEntry("on", true),
                LogValueEntry("list", .array([1, "x", .map([LogValueEntry("y", 2.0)])])),
            ], logger: "deck", source: LogRecord.SourceLocation(file: "Deck.swift", function: "drop()", line: 7),
            trace: TraceContext(
                traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3), flags: .sampled))
        var bytes = Array("{\"events\":[".utf8)
        RecordingEncoder.append(
            RecordedEvent(timestamp: record.timestamp, relativeTime: 1.25, event: .log(record)), to: &bytes)
        bytes += Array("]}".utf8)
        #expect(try Self.events(String(decoding: bytes, as: UTF8.self)).first?.event == .log(record))
    }

    @Test func `base64 is that of the standard`() {
        #expect(
            ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map { LogValue.bytes(Array($0.utf8)).description } == [
                "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
            ])
    }

    @Test func `damaged recordings end in an error or in good events`() {
        var generator = SeededGenerator(seed: 51)
        let text = Array(Self.indented.utf8)
        var complete = 0
        for _ in 0..<10_000 {
            var reader = RecordingReader(generator.damaged(text))
            do {
                while let event = try reader.next() {
                    guard let location = event.event.location else { continue }
                    #expect(location.coordinate.isValid && (location.speed ?? 0) >= 0 && event.relativeTime >= 0)
                }
                complete += 1
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(complete > 50)
    }
}
