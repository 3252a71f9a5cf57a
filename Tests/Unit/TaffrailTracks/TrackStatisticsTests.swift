import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText
@testable import TaffrailTracks

@Suite(.mayBlock) struct TrackStatisticsTests {
    static func location(
        _ latitude: Double, _ longitude: Double, _ second: Double, altitude: Double? = nil, speed: Double? = nil
    ) -> GeoEvent {
        var location = Location(
            latitude: latitude, longitude: longitude, timestamp: SampleDrive.start + .seconds(second))
        location.altitude = altitude
        location.speed = speed
        return .location(location)
    }

    static func statistics(_ events: [GeoEvent]) -> TrackStatistics {
        var statistics = TrackStatistics()
        for event in events { statistics.add(event) }
        return statistics
    }

    @Test func `a line along the equator is as long as its degrees`() {
        let result = Self.statistics((0...10).map { Self.location(0, Double($0) / 10, Double($0) * 100) })
        #expect(abs(result.distance - 111_319.4908) < 0.001 && result.points == 11)
        #expect(
            result.duration == .seconds(1_000) && result.movingTime == .seconds(1_000) && result.stoppedTime == .zero)
        #expect(abs((result.averageSpeed ?? 0) - 111.3194908) < 1e-6)
        #expect(abs((result.maximumSpeed ?? 0) - 111.3194908) < 1e-6)
    }

    @Test func `distances and speeds are in nautical miles and knots if requested`() {
        // A degree of the equator in an hour.
        let table = Self.statistics([Self.location(0, 0, 0), Self.location(0, 1, 3_600)]).table(in: .nautical)
        #expect(table.contains("distance            60.108 nmi\n"))
        #expect(table.contains("speed, average      60.1 kn\n") && !table.contains("km"))
    }

    @Test func `standing still is not moving, however the receiver trembles`() {
        let events = (0..<100).map { Self.location(55 + Double($0 % 2) * 1e-6, 12, Double($0)) }
        let result = Self.statistics(events + [Self.location(55.001, 12, 109)])
        #expect(result.stoppedTime == .seconds(99) && result.movingTime == .seconds(10))
        #expect(result.movingDistance > 110 && result.distance > result.movingDistance)
    }

    @Test func `across a gap nothing is counted`() {
        let result = Self.statistics([
            .error(.locationUnknown()), Self.location(1, 1, 0), Self.location(1, 1.001, 10), .error(.locationUnknown()),
            .error(.locationUnknown()), Self.location(2, 2, 1_000), Self.location(2, 2, 1_010),
        ])
        #expect(result.gaps == 1 && result.points == 4)
        #expect(
            abs(result.distance - 111.3) < 0.5 && result.movingTime == .seconds(10)
                && result.stoppedTime == .seconds(10))
        #expect(result.duration == .seconds(1_010))
    }

    @Test func `climbs are counted without the noise`() {
        var events = [Self.location(1, 1, 0, altitude: 10)]
        for index in 1...50 { events.append(Self.location(1, 1, Double(index), altitude: 10 + Double(index % 3))) }
        events.append(Self.location(1, 1, 60, altitude: 110))
        events.append(Self.location(1, 1, 61, altitude: 60))
        let result = Self.statistics(events)
        #expect(result.minimumAltitude == 10 && result.maximumAltitude == 110)
        #expect(abs(result.ascent - result.descent - 50) < 2 && result.descent < 90 && result.ascent < 140)
    }

    @Test func `a reported speed takes precedence over a computed one`() {
        let result = Self.statistics([Self.location(1, 1, 0, speed: 3), Self.location(2, 1, 1, speed: 4)])
        #expect(result.maximumSpeed == 4)
        #expect(Self.statistics([]).maximumSpeed == nil && Self.statistics([]).bounds == nil)
    }

    @Test func `the box around a route may cross the antimeridian`() {
        let across = Self.statistics([Self.location(-5, 179, 0), Self.location(5, -179, 1), Self.location(0, -178, 2)])
        #expect(
            across.bounds
                == CoordinateBox(
                    southWest: Coordinate(latitude: -5, longitude: 179),
                    northEast: Coordinate(latitude: 5, longitude: -178)))
        let plain = Self.statistics([Self.location(1, -10.25, 0), Self.location(2, 10.5, 1)])
        #expect(
            plain.bounds
                == CoordinateBox(
                    southWest: Coordinate(latitude: 1, longitude: -10.25),
                    northEast: Coordinate(latitude: 2, longitude: 10.5)))
        let round = Self.statistics((0...40).map { Self.location(1, Double($0 * 10 % 360) - 180, Double($0)) })
        #expect(round.bounds?.southWest.longitude == -180 && round.bounds?.northEast.longitude == 180)
    }

    @Test(
        .enabled(if: TestData.isThere, "\(TestData.reason)"),
        .enabled(if: Program.areThere("GeodSolve"), "GeodSolve is not installed (geographiclib-tools)"),
        .enabled(if: Program.areThere("gpxinfo"), "gpxinfo is not installed"),
        arguments: ["around-visnjan-with-car.gpx", "cerknicko-jezero.gpx"])
    func `the length of a real track is GeodSolve's, and gpxinfo's within its spherical earth`(name: String) throws {
        let events = try TrackFormatTests.read(TestData.path("gpx/\(name)"), .gpx)
        let statistics = Self.statistics(events.map(\.event))
        var input = ""
        var previous: Coordinate?
        for event in events {
            if let coordinate = event.event.location?.coordinate {
                if let previous {
                    input +=
                        "\(previous.latitude) \(previous.longitude) \(coordinate.latitude) \(coordinate.longitude)\n"
                }
                previous = coordinate
            } else {
                previous = nil
            }
        }
        let lines = try Program.run(["-i", "-p", "6"], of: "GeodSolve", input: input).output.split(separator: "\n")
        let length = lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
        #expect(length > 1_000 && abs(statistics.distance / length - 1) < 1e-6)
        let info = try Program.run([TestData.path("gpx/\(name)")], of: "gpxinfo").output
        let line = try #require(info.split(separator: "\n").first { $0.contains("Length 2D:") })
        let theirs = try #require(line.split(separator: " ").last.flatMap { Double($0.dropLast(2)) })
        // In kilometres, with few decimals, on a sphere, which is off by up to 0.34 %.
        #expect(abs(statistics.distance / 1_000 / theirs - 1) < 0.0035, "\(line)")
    }

    @Test func `the average speed is that of the distance with known times`() throws {
        var statistics = TrackStatistics()
        for index in 0..<4 {
            var location = Location(
                latitude: Double(index) * 0.001, longitude: 0,
                timestamp: SampleDrive.start + .seconds(index * 10))
            if index >= 2 { location.extra.hasNoTime = true }
            statistics.add(.location(location))
        }
        // One of three legs is timed, and lasts ten seconds.
        let leg = statistics.distance / 3
        #expect(abs(try #require(statistics.averageSpeed) - leg / 10) < 0.01)
    }

    @Test func `neither a stretch without times nor a gap counts for the average speed`() throws {
        var events = (0..<9).map { Self.location(0, Double($0) * 0.001, Double($0) * 10) }
        for index in 3...5 {
            guard case .location(var location) = events[index] else { continue }
            location.extra.hasNoTime = true
            events[index] = .location(location)
        }
        let speed = try #require(Self.statistics([events[0], events[1]]).averageSpeed)
        // Two legs before the stretch and two after it have times.
        #expect(abs(try #require(Self.statistics(events).averageSpeed) - speed) < 1e-6)
        let later = (0..<3).map { Self.location(0, Double($0) * 0.001, 1_000 + Double($0) * 10) }
        let gap = Self.statistics(events + [.error(.locationUnknown())] + later)
        #expect(try gap.gaps == 1 && abs(#require(gap.averageSpeed) - speed) < 1e-6)
    }

    @Test(arguments: [["/dev/a", "/dev/b"], ["caf\u{E9}", "cafe\u{301}"]])
    func `several receivers are several tracks`(devices: [String]) {
        var receivers = ReceiverStatistics()
        for index in 0..<10 {
            if index == 5 { receivers.add(.error(.locationUnknown("no fix", device: devices[1]))) }
            for (number, device) in devices.enumerated() {
                var location = Location(
                    latitude: 55 + Double(index) * 0.001, longitude: 12 + Double(number),
                    timestamp: SampleDrive.start + .seconds(index))
                location.extra.device = device
                receivers.add(.location(location))
            }
        }
        #expect(receivers.receivers.map { Array($0.device.utf8) } == devices.map { Array($0.utf8) })
        #expect(receivers.receivers.map(\.statistics.gaps) == [0, 1])
        #expect(receivers.receivers.allSatisfy { $0.statistics.points == 10 && $0.statistics.distance < 1_100 })
        #expect(
            receivers.json.split(separator: "\n").count == 2
                && receivers.json.hasPrefix("{\"device\":\"\(devices[0])\",\"points"))
        #expect(receivers.table.contains("receiver            \(devices[1])\npoints"))
    }
}
