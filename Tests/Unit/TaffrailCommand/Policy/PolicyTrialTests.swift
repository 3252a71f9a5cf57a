import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailCommand

@Suite struct PolicyTrialTests {
    private static let start = Timestamp(nanoseconds: 1_767_610_800_000_000_000)
    private static let origin = Coordinate(latitude: 52.52, longitude: 13.405)

    /// A fix a second, straight north, a little farther than the speed says: no distance is missed by a rounding error.
    private static func line(_ seconds: Int, speed: Double, from first: Int = 0) -> [Location] {
        (first...first + seconds).map { second in
            var fix = Location(
                coordinate: Geodesy.destination(
                    from: origin, bearing: 0, distance: speed * Double(second - first) * 1.0001),
                timestamp: start + .seconds(second))
            fix.speed = speed
            fix.horizontalAccuracy = 5
            return fix
        }
    }

    private static func run(_ policy: some SimulatedPolicy, _ fixes: [Location]) -> PolicyResult {
        var result = PolicyResult()
        PolicyTrial(fixes, PolicyConstants()).run(policy, into: &result)
        return result
    }

    /// The examples of its documentation: 60 m at 7.7 m/s with 30 m, 300 m at 27 m/s with 50 m.
    @Test(arguments: [(7.7, 30.0, 60.0), (27, 50, 300), (0.5, 10, 10), (5, 10, 10), (5.1, 10, 20)])
    func `the elastic filter is as long as documented`(speed: Double, metres: Double, expected: Double) {
        let seconds = 1_000
        let result = Self.run(ElasticDistance(metres: metres), Self.line(seconds, speed: speed))
        let step = (expected / speed).rounded(.up)
        #expect(result.pings == 1 + Int(Double(seconds) / step))
        #expect(result.gpsTime == .seconds(seconds + 5))
    }

    @Test func `the elastic filter closes the source after five minutes of rest, until it has moved`() {
        let rest = Self.line(1_000, speed: 0)
        let result = Self.run(ElasticDistance(metres: 10), rest + Self.line(100, speed: 10, from: 1_001))
        // From the 300th second on, until it has moved 200 m.
        #expect(result.times[.stationaryDay] == .seconds(721))
        // Until it rests, and from 200 m on.
        #expect(result.gpsTime == .seconds(5 + 300 + 5 + 80))
    }

    @Test func `OwnTracks moves 100 m or waits 300 s`() {
        #expect(Self.run(MoveMode(), Self.line(1_000, speed: 4)).pings == 1 + 40)
        #expect(Self.run(MoveMode(), Self.line(1_000, speed: 0)).pings == 1 + 3)
    }

    @Test func `a speed profile is fast above its threshold, and for a minute after`() {
        #expect(Self.run(SpeedProfile(), Self.line(600, speed: 2)).pings == 1 + 10)
        #expect(Self.run(SpeedProfile(), Self.line(600, speed: 3)).pings == 1 + 120)
        let stop = Self.line(100, speed: 20) + Self.line(300, speed: 0, from: 101)
        #expect(Self.run(SpeedProfile(), stop).times[.moving] ?? .zero > .seconds(160))
    }

    @Test func `fixed intervals open the source for one fix, fixed distances keep it open`() {
        let interval = Self.run(FixedInterval(interval: .seconds(60)), Self.line(600, speed: 10))
        #expect(interval.pings == 11 && interval.gpsTime == .seconds(55))
        #expect(abs(interval.energy - (55 * 75 + 11 * 2_000) / 1_000) < 1e-9)
        let distance = Self.run(FixedDistance(metres: 100), Self.line(600, speed: 10))
        #expect((60...61).contains(distance.pings) && distance.gpsTime == .seconds(605))
    }

    @Test func `at home the source is opened once each wake`() {
        var settings = PingSettings()
        settings.night = nil
        let policy = PingPolicy(settings, home: Self.origin)
        let result = Self.run(SimulatedPingPolicy(policy: policy), Self.line(3_600, speed: 0))
        #expect(result.pings == 1 && result.times == [.homeOrNight: .seconds(3_600)])
        #expect(result.gpsTime == .seconds(5 * 61))
        settings.wake = .zero
        let open = Self.run(
            SimulatedPingPolicy(policy: PingPolicy(settings, home: Self.origin)), Self.line(3_600, speed: 0))
        #expect(open.gpsTime == .seconds(3_605))
    }

    @Test func `the error is the distance to the line between pings`() throws {
        // Two sides of a right angle; pings only at the ends.
        let north = Self.line(100, speed: 10)
        let corner = north[100].coordinate
        let east = (1...100).map { second in
            var fix = Location(
                coordinate: Geodesy.destination(from: corner, bearing: 90, distance: Double(second) * 10),
                timestamp: Self.start + .seconds(100 + second))
            fix.horizontalAccuracy = 5
            return fix
        }
        let result = Self.run(FixedInterval(interval: .seconds(200)), north + east)
        #expect(result.pings == 2)
        // The corner is 1000 m / √2 from the diagonal.
        let (most, mean) = (try #require(result.error.maximum), try #require(result.error.mean))
        #expect(abs(most - 707.1) < 1 && abs(mean - 353.6) < 1)
        #expect(abs(try #require(result.error.quantile(0.5)) - 353.6) < 8)
        let close = Self.run(FixedInterval(interval: .seconds(1)), north + east).error.maximum
        #expect(try #require(close) < 0.01)
    }

    @Test func `distances to a line are those on the ellipsoid, also across the antimeridian`() {
        let point = Coordinate(latitude: -17, longitude: 179.9999)
        let start = Geodesy.destination(from: point, bearing: 60, distance: 500)
        let end = Geodesy.destination(from: point, bearing: 150, distance: 500)
        #expect(abs(PolicyTrial.distance(of: point, from: start, to: end) - 500 / 2.0.squareRoot()) < 0.2)
        #expect(abs(PolicyTrial.distance(of: point, from: start, to: start) - 500) < 0.2)
        #expect(PolicyTrial.distance(of: point, from: point, to: point) == 0)
    }

    @Test func `a fix without accuracy gets that of the constants`() {
        var fixes = Self.line(10, speed: 10)
        for index in fixes.indices { fixes[index].horizontalAccuracy = nil }
        #expect(Self.run(SimulatedPingPolicy(policy: PingPolicy()), fixes).pings == 1)
    }

    @Test func `the best of a sweep are those that no other beats in both`() {
        func entry(_ energy: Double, _ error: Double) -> PolicyEntry {
            var result = PolicyResult()
            result.energy = energy
            result.error.add(error, weight: 1)
            return PolicyEntry(name: "\(energy)", result: result)
        }
        var entries = [entry(1, 9), entry(2, 5), entry(3, 6), entry(4, 5), entry(5, 1), entry(5, 1)]
        entries.append(PolicyEntry(name: "none", result: PolicyResult()))
        PolicyTable.markBest(&entries)
        #expect(entries.map(\.isBest) == [true, true, false, false, true, true, false])
        let lines = PolicyTable.text(entries, heading: "wake", marksBest: true).split(separator: "\n")
        #expect(
            lines.count == 8 && lines[7].hasSuffix(" -") && lines[0].hasPrefix("wake ") && lines[1].hasPrefix("1.0 *"))
        #expect(Set(lines.map(\.count)).count == 1)
        let svg = PolicyChart.svg(title: "a & b", subtitle: "", sweep: entries, others: [])
        #expect(String(decoding: svg, as: UTF8.self).contains("a &amp; b"))
    }
}
