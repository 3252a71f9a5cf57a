import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo

@Suite struct EpochMergerTests {
    static func report(_ second: Int?, _ device: String = "a", altitude: Double? = nil, speed: Double? = nil)
        -> PositionReport
    {
        let time = second.map { Timestamp(nanoseconds: Int64($0) * 1_000_000_000) }
        var location = Location(latitude: 1, longitude: 2, timestamp: time ?? Timestamp(nanoseconds: 0))
        location.altitude = altitude
        location.speed = speed
        return PositionReport(device: device, time: time, mode: altitude == nil ? .twoD : .threeD, location: location)
    }

    @Test func `reports of one epoch become one, with the values of all`() throws {
        var merger = EpochMerger(window: .nanoseconds(100))
        var given = merger.take(Self.report(1, speed: 3), now: 0)
        given += merger.take(Self.report(1, altitude: 7), now: 50)
        #expect(given.isEmpty && merger.deadline == 100)
        given += merger.take(Self.report(2), now: 90)
        try #require(given.count == 1)
        #expect(given[0].mode == .threeD && given[0].location?.altitude == 7 && given[0].location?.speed == 3)
        // It was received when its first part was.
        #expect(given[0].location?.extra.uptime == 0)
    }

    @Test func `a report does not wait for longer than the window, and later ones are dropped`() {
        var merger = EpochMerger(window: .nanoseconds(100))
        #expect(merger.take(Self.report(1), now: 0).isEmpty)
        #expect(merger.expire(now: 99).isEmpty)
        #expect(merger.expire(now: 100).count == 1)
        #expect(merger.take(Self.report(1, altitude: 3), now: 110).isEmpty)
        #expect(merger.deadline == nil && merger.late == 1)
        #expect(merger.take(Self.report(2), now: 120).isEmpty)
        #expect(merger.finish().count == 1)
    }

    @Test func `a report for a pending epoch belongs to it, even when it is overdue`() {
        var merger = EpochMerger(window: .nanoseconds(100))
        _ = merger.take(Self.report(1, altitude: 3), now: 0)
        // The caller has not fetched the due reports: the program itself was late.
        #expect(merger.take(Self.report(1, speed: 4), now: 500).isEmpty)
        let given = merger.expire(now: 500)
        #expect(given.count == 1 && given.first?.location?.altitude == 3 && given.first?.location?.speed == 4)
    }

    @Test func `the last report's speed counts, which arrives late on a slow line`() {
        var merger = EpochMerger()
        var given: [PositionReport] = []
        for second in 1...60 {
            let now = Int64(second) * 1_000_000_000
            // gpsd's estimate with the position, and the receiver's value most of a second later.
            given += merger.expire(now: now) + merger.take(Self.report(second, altitude: 7, speed: 9), now: now)
            let later = now + 800_000_000
            given += merger.expire(now: later) + merger.take(Self.report(second, speed: 2), now: later)
            // Nothing waits for long when the number of reports per epoch is known.
            if second > 20 { #expect(given.count == second) }
        }
        #expect(given.count == 60 && merger.late == 0)
        #expect(given.allSatisfy { $0.location?.speed == 2 && $0.location?.altitude == 7 })
    }

    @Test func `if an epoch always has one report, it is returned at once, until there are more`() {
        var merger = EpochMerger(window: .nanoseconds(100))
        var given = 0
        for second in 1...17 { given += merger.take(Self.report(second), now: Int64(second) * 1_000).count }
        // The seventeenth shows that the sixteenth was complete.
        #expect(given == 17)
        #expect(merger.take(Self.report(17, speed: 3), now: 17_010).isEmpty && merger.late == 1)
        // From now on it is waited again.
        #expect(merger.take(Self.report(18), now: 18_000).isEmpty)
        #expect(merger.take(Self.report(18, speed: 3), now: 18_050).isEmpty)
        #expect(merger.expire(now: 18_100).first?.location?.speed == 3)
    }

    @Test func `receivers are kept separate`() {
        var merger = EpochMerger(window: .nanoseconds(100))
        _ = merger.take(Self.report(1, "a"), now: 0)
        _ = merger.take(Self.report(1, "b"), now: 10)
        #expect(merger.take(Self.report(2, "b"), now: 20).map(\.device) == ["b"])
        #expect(merger.finish().map(\.device) == ["a", "b"])
    }

    @Test func `reports without a time do not wait for each other for longer than a tenth of a second`() {
        var merger = EpochMerger()
        #expect(merger.take(Self.report(nil), now: 0).isEmpty)
        #expect(merger.deadline == 100_000_000)
        #expect(merger.take(Self.report(nil), now: 200_000_000).count == 1)
    }

    @Test func `reports without a time are merged within the window only`() {
        var merger = EpochMerger(window: .nanoseconds(100))
        #expect(merger.take(Self.report(nil), now: 0).isEmpty)
        #expect(merger.take(Self.report(nil, altitude: 7), now: 50).isEmpty)
        #expect(merger.take(Self.report(nil), now: 150).map(\.mode) == [.threeD])
        #expect(merger.finish().count == 1)
    }

    @Test func `a fast receiver without times keeps every position`() {
        var merger = EpochMerger()
        var given: [PositionReport] = []
        for index in 0..<50 {
            var report = Self.report(nil, altitude: 7)
            report.location?.coordinate.latitude = 1 + Double(index / 2) * 1e-6
            // 50 Hz; every other time it has not moved.
            given += merger.take(report, now: Int64(index) * 20_000_000)
        }
        #expect(given.count + merger.finish().count == 50)
    }

    @Test func `a position without a time is not lost to a report without a fix`() {
        var merger = EpochMerger()
        let lost = PositionReport(device: "a", time: nil, mode: .noFix, location: nil)
        let given = merger.take(Self.report(nil), now: 0) + merger.take(lost, now: 10_000_000) + merger.finish()
        #expect(given.map(\.mode) == [.twoD, .noFix])
    }

    @Test func `time may go backwards, as in a repeated replay`() {
        var merger = EpochMerger(window: .nanoseconds(100))
        var given = 0
        for second in [5, 6, 7, 5, 6, 7] { given += merger.take(Self.report(second), now: 0).count }
        #expect(given + merger.finish().count == 6)
    }

    @Test func `losing the fix within an epoch counts`() {
        var merger = EpochMerger(window: .nanoseconds(100))
        let lost = PositionReport(device: "a", time: Timestamp(nanoseconds: 1_000_000_000), mode: .noFix, location: nil)
        _ = merger.take(Self.report(1), now: 0)
        _ = merger.take(lost, now: 10)
        #expect(merger.finish() == [lost])
    }

    @Test(.enabled(if: TestData.isThere, "\(TestData.reason)"))
    func `gpsd's reports of a real log become one for each epoch`()
        throws
    {
        var parser = GPSDParser()
        var merger = EpochMerger()
        var times: [Timestamp] = []
        var now: Int64 = 0
        parser.read(try TestData.bytes("nmea/haicom-305N.log.chk")) { report in
            guard case .position(let position) = report else { return }
            now += 1_000_000
            times += merger.take(position, now: now).filter { $0.location != nil }.compactMap(\.time)
        }
        times += merger.finish().filter { $0.location != nil }.compactMap(\.time)
        let expected = Set(try ReferenceFix.read("nmea/haicom-305N.log.chk").filter { $0.mode >= 2 }.compactMap(\.time))
        #expect(times.count == expected.count)
        #expect(Set(times) == expected)
    }
}
