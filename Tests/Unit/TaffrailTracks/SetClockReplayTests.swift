import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording
@testable import TaffrailText
@testable import TaffrailTracks

/// Replays of recordings during which the machine's clock was set.
@Suite(.mayBlock) struct SetClockReplayTests {
    /// Records a fix a second, on a machine whose clock is so many seconds ahead of the receiver's.
    private static func record(_ count: Int, to path: String, ahead: (Int) -> Double) throws {
        let writer = TrackFormat.json.writer(try TextOutput(path: path))
        try writer.begin(RecordingMetadata(recordedAt: SampleDrive.start), name: "")
        for index in 0..<count {
            let time = SampleDrive.start + .seconds(index)
            let location = Location(latitude: Double(index), longitude: 12, timestamp: time)
            try writer.append(
                RecordedEvent(
                    timestamp: time + .seconds(ahead(index)), relativeTime: Double(index), event: .location(location)))
        }
        try writer.finish()
    }

    @Test func `a time is found in a recording during which the clock was set`() throws {
        let folder = TemporaryDirectory()
        try Self.record(6, to: folder.file("a.json")) { $0 < 2 ? 0 : 3_600 }
        let timer = SteppedTimer()
        let options = ReplayOptions(path: folder.file("a.json"), start: .time(SampleDrive.start + .seconds(3_602.5)))
        let player = try ReplayPlayer(options, timer: timer)
        timer.plan(1) { player.seek(to: .time(SampleDrive.start + .seconds(3_604))) }
        var arrivals: [ReplayPlayerTests.Arrival] = []
        try player.run { arrivals.append(.init(seconds: timer.seconds, event: $0)) }
        #expect(arrivals.map(\.index) == [3, nil, 4, 5])
        let expected = [0.5, 1, 1, 2]
        #expect(zip(arrivals, expected).allSatisfy { abs($0.seconds - $1) < 1e-6 }, "\(arrivals.map(\.seconds))")
    }

    @Test(arguments: [-40_000_000.0, -3_000, 3_000, 40_000_000])
    func `as if it happened now, times follow the schedule though the clock was set`(ahead: Double) throws {
        let folder = TemporaryDirectory()
        // A clock that is set before the third fix; and fixes that took half a second to arrive.
        try Self.record(5, to: folder.file("set.json")) { $0 < 2 ? ahead : 0 }
        try Self.record(5, to: folder.file("late.json")) { _ in 0.5 }
        for (name, age) in [("set.json", 0), ("late.json", 0.25)] {
            var options = ReplayOptions(path: folder.file(name), rate: 2)
            options.timeMode = .now
            var times: [Double] = []
            var fixes: [Double] = []
            try ReplayPlayer(options, timer: SteppedTimer()).run { event in
                times.append(event.timestamp.seconds(since: SteppedTimer.wallStart))
                if let fix = event.event.location?.timestamp {
                    fixes.append(fix.seconds(since: SteppedTimer.wallStart))
                }
            }
            #expect(times.count == 5 && fixes.count == 5)
            #expect(zip(times, [0, 0.5, 1, 1.5, 2]).allSatisfy { abs($0 - $1) < 1e-6 }, "\(times)")
            #expect(zip(fixes, times).allSatisfy { abs($0 - $1 + age) < 1e-6 }, "\(fixes)")
        }
    }
}
