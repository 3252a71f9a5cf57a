import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

@Suite(.mayBlock) struct NMEATrackReaderTests {
    @Test func `a loss of the fix does not have the default date of the receiver's clock`() throws {
        let folder = TemporaryDirectory()
        let lines = [
            "$GPGGA,235948.799,,,,,0,0,,,M,,M,,*4E", "$GPZDA,235948.799,05,01,1980,,*54",
            "$GPGGA,101500.000,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,*67", "$GPZDA,101500.000,12,02,2024,,*56",
        ]
        try folder.write(lines.joined(separator: "\n") + "\n", to: "cold.nmea")
        let events = try TrackTimesTests.read(TrackFormat.nmea.reader(path: folder.file("cold.nmea")))
        let fix = try #require(RFC3339.timestamp("2024-02-12T10:15:00Z"))
        #expect(events.map { $0.event.location != nil } == [false, true])
        #expect(events.allSatisfy { abs(fix.seconds(since: $0.timestamp)) < 10 })
    }
}
