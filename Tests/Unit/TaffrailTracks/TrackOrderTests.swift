import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

/// Tracks whose times go back.
@Suite(.mayBlock) struct TrackOrderTests {
    private static func schedule(_ seconds: [Double?]) -> [Double] {
        TrackTimesTests.schedule(seconds).map(\.relativeTime)
    }

    @Test func `what is earlier follows what was before it, as fast as it was`() {
        #expect(Self.schedule([90_000, 90_001, 0, 2, 5]) == [0, 1, 2, 4, 7])
        #expect(Self.schedule([90_000, 90_001, nil, 0, 2]) == [0, 1, 1, 2, 4])
        // A receiver may send two fixes in the wrong order.
        #expect(Self.schedule([10, 9, 11]) == [0, 0, 1])
    }

    @Test func `wrong times in the past do not delay what follows them`() {
        #expect(Self.schedule([10, 11, -100_000, 13, 14]) == [0, 1, 2, 3, 4])
        #expect(Self.schedule([10, 11, -100_000, -99_999, 12, 20]) == [0, 1, 2, 3, 3, 10])
        #expect(Self.schedule([10, 11, -100_000, -200_000, 14, 15]) == [0, 1, 2, 3, 4, 5])
        // A track that began earlier than another one, and ends later, is as long as it was.
        #expect(Self.schedule([1_000, 1_010, 900, 950, 1_000, 1_050]) == [0, 10, 11, 61, 111, 161])
    }

    /// A file with the track of three seconds of two days, the later one first.
    private static func write(to folder: TemporaryDirectory) throws {
        var tracks = ""
        for day in [6, 5] {
            tracks += "<trk><trkseg>"
            for second in 0..<3 {
                tracks += "<trkpt lat='1' lon='\(second)'><time>2026-01-0\(day)T14:30:0\(second)Z</time></trkpt>"
            }
            tracks += "</trkseg></trk>"
        }
        try folder.write("<gpx>\(tracks)</gpx>", to: "days.gpx")
    }

    @Test func `a recording of them is whole`() throws {
        let folder = TemporaryDirectory()
        try Self.write(to: folder)
        _ = try TrackConversion(from: folder.file("days.gpx"), .gpx, to: folder.file("days.json"), .json)
        let report = try RecordingReport(checking: folder.file("days.json"))
        #expect(report.isIntact && report.locations == 6, "\(report.problems)")
    }

    @Test(arguments: [ReplayOptions.TimeMode.recorded, .now])
    func `a replay of them takes as long as they took`(mode: ReplayOptions.TimeMode) throws {
        let folder = TemporaryDirectory()
        try Self.write(to: folder)
        var options = ReplayOptions(path: folder.file("days.gpx"))
        options.timeMode = mode
        let timer = SteppedTimer()
        var arrivals: [Double] = []
        var fixes: [Double] = []
        try ReplayPlayer(options, timer: timer).run { event in
            guard let fix = event.event.location?.timestamp else { return }
            arrivals.append(timer.seconds)
            fixes.append(fix.seconds(since: mode == .now ? SteppedTimer.wallStart : SampleDrive.start + .days(1)))
        }
        #expect(arrivals == [0, 1, 2, 3, 4, 5])
        #expect(fixes == (mode == .now ? arrivals : [0, 1, 2, -86_400, -86_399, -86_398]))
    }
}
