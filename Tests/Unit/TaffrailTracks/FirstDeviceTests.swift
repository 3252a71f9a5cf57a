import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

/// The receiver that clients of gpsd see before the first position of a replay.
@Suite(.mayBlock) struct FirstDeviceTests {
    /// Twenty minutes of `/dev/a`, one event a minute; an error of no receiver; ten minutes of `/dev/b`.
    private static let events: [RecordedEvent] = (0...30).map { minute in
        let seconds = Double(minute * 60)
        let time = SampleDrive.start + .seconds(seconds)
        var location = Location(latitude: 10, longitude: Double(minute) / 100, timestamp: time)
        location.extra.device = minute < 20 ? "/dev/a" : "/dev/b"
        let event: GeoEvent = minute == 20 ? .error(.locationUnknown("gpsd is lost")) : .location(location)
        return RecordedEvent(timestamp: time, relativeTime: seconds, event: event)
    }

    @Test(
        arguments: [
            (nil, nil, "/dev/a"), ("19m", nil, "/dev/a"), ("20m", nil, "/dev/b"), ("#21", nil, "/dev/b"),
            ("14:50", nil, "/dev/b"), ("2026-01-05T14:51:00Z", "21m", "/dev/b"), (nil, "0", "/dev/a"),
            // Nothing is in the range, or nothing of a receiver.
            ("31m", nil, nil), ("21m", "20m", nil), ("20m", "14:50:30", nil),
        ] as [(String?, String?, String?)])
    func `it is the first one within the range to be replayed`(
        start: String?, end: String?, device: String?
    ) throws {
        let folder = TemporaryDirectory()
        let path = folder.file("drive.json")
        _ = try TrackFormatTests.write(Self.events, .json, to: path)
        var options = ReplayOptions(path: path, isAsFastAsPossible: true)
        options.start = try start.map { try #require(ReplayPoint($0)) }
        options.end = try end.map { try #require(ReplayPoint($0)) }
        #expect(options.firstDevice == device)
        // As the replay itself has it; it refuses an empty range.
        var replayed: [String] = []
        try? ReplayPlayer(options).run { event in
            if let device = event.event.location?.extra.device { replayed.append(device) }
        }
        #expect(replayed.first == device)
    }

    @Test func `a position without a receiver is of the device taffrail, and errors alone are of none`() throws {
        let folder = TemporaryDirectory()
        try SampleDrive.write(2, to: folder.file("unnamed.json"))
        #expect(ReplayOptions(path: folder.file("unnamed.json")).firstDevice == "taffrail")
        _ = try TrackFormatTests.write([Self.events[20]], .json, to: folder.file("lost.json"))
        #expect(ReplayOptions(path: folder.file("lost.json")).firstDevice == nil)
    }
}
