import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailRecording

/// Times in records that no clock of this machine has, such as those of other programs.
@Suite(.mayBlock) struct RecordingScheduleTests {
    private static let start = RecordingWriterTests.start

    @Test(arguments: [(first: Int64.max, second: -2, seconds: 0), (first: .min, second: 2, seconds: 9e9)])
    func `any monotonic times are recorded, in order`(first: Int64, second: Int64, seconds: Double) throws {
        let folder = TemporaryDirectory()
        let session = RecordingSessionTests.session(folder)
        try session.take(RecordingSessionTests.location(0), received: Self.start, uptime: first)
        try session.take(RecordingSessionTests.location(1), received: Self.start + .seconds(1), uptime: second)
        try session.commit()
        let times = try RecordingRepairTests.events(try #require(session.path)).map(\.relativeTime)
        #expect(times.count == 2 && times.first == 0 && (times.last ?? -1) >= seconds, "\(times)")
    }

    @Test func `the least monotonic time determines the start of a recording too`() {
        var schedule = RecordingSchedule()
        schedule.begin(at: Self.start, uptime: nil, last: 3)
        #expect(schedule.relativeTime(received: Self.start + .seconds(5), uptime: .min) == 3)
        #expect(schedule.relativeTime(received: Self.start + .seconds(6), uptime: .min + 4_000_000_000) == 4)
    }

    @Test func `a recording that starts centuries ago is split by its duration`() throws {
        let folder = TemporaryDirectory()
        let session = RecordingSessionTests.session(folder) { $0.splitInterval = .hours(1) }
        // In 1700.
        let received = Timestamp(secondsSince1970: -8_520_336_000)
        try session.take(RecordingSessionTests.location(0), received: received, uptime: nil)
        try session.commit()
        try session.splitIfDue(now: Self.start)
        #expect(session.path == nil && session.recordedEvents == 1)
    }
}
