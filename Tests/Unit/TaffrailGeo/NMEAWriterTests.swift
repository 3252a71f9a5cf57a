import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite struct NMEAWriterTests {
    static func text(_ location: Location) -> String {
        var bytes: [UInt8] = []
        NMEAWriter().append(location, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static let moment = RFC3339.timestamp("2026-01-05T23:59:59.123Z") ?? .now

    @Test func `a written track is read back to the millisecond, the centimetre and 1e-7 degrees`() throws {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<2_000 {
            var location = Location.random(&generator)
            location.altitude = .random(in: -400...9_000, using: &generator)
            // A fix without a time is written without one.
            location.extra.hasNoTime = nil
            let reports = NMEAParserTests.reports(Self.text(location).utf8)
            try #require(reports.count == 1)
            let back = try #require(reports[0].location)
            #expect(back.timestamp == location.timestamp)
            #expect(abs(back.coordinate.latitude - location.coordinate.latitude) < 2e-9)
            #expect(abs(back.coordinate.longitude - location.coordinate.longitude) < 2e-9)
            #expect(abs((back.altitude ?? 0) - (location.altitude ?? 0)) < 0.001)
            if let ellipsoidal = location.ellipsoidalAltitude {
                #expect(abs((back.ellipsoidalAltitude ?? 0) - ellipsoidal) < 0.002)
            }
            #expect((back.speed == nil) == (location.speed == nil))
            #expect(abs((back.speed ?? 0) - (location.speed ?? 0)) < 1e-4)
            #expect(abs((back.course ?? 0) - (location.course ?? 0)) < 1e-4)
            if let accuracy = location.horizontalAccuracy, accuracy < 1_800, accuracy > 0.01 {
                #expect(abs((back.horizontalAccuracy ?? 0) - accuracy) < 0.001)
            }
            if let accuracy = location.verticalAccuracy, accuracy > 0.01 {
                #expect(abs((back.verticalAccuracy ?? 0) - accuracy) < 0.002)
            }
            #expect(back.isSimulated == location.isSimulated)
        }
    }

    @Test func `the sentences are those that gpsd reads`() {
        var location = Location(latitude: -12.5, longitude: 179.9999999999, timestamp: Self.moment)
        location.speed = 10
        location.course = 0
        location.altitude = -12.3
        location.horizontalAccuracy = 7.3
        location.verticalAccuracy = 46
        let lines = Self.text(location.simulated()).split(separator: "\r\n").map(String.init)
        #expect(lines.count == 3)
        #expect(
            lines[1].hasPrefix("$GPRMC,235959.123,A,1230.0000000,S,18000.0000000,E,19.4384,0.0000,050126,,,S*"))
        #expect(
            lines[2].hasPrefix("$GPGGA,235959.123,1230.0000000,S,18000.0000000,E,8,04,0.3842,-12.300,M,,M,,*"))
        #expect(lines[0].hasPrefix("$GPGSA,A,3,,,,,,,,,,,,,2.0366,0.3842,2.0000*"))
        // gpsd wants at least 13 and 18 fields.
        #expect(lines[2].split(separator: ",", omittingEmptySubsequences: false).count >= 14)
        #expect(lines[0].split(separator: ",", omittingEmptySubsequences: false).count == 18)
    }

    @Test(arguments: [NMEAWriter.Order.timeFirst, .positionFirst])
    func `epochs without times are read back`(order: NMEAWriter.Order) {
        var bytes: [UInt8] = []
        let writer = NMEAWriter(order: order)
        let locations = (0..<12).map { index in
            var location = Location(latitude: Double(index), longitude: 2, timestamp: Self.moment)
            location.extra.hasNoTime = true
            if index % 3 != 0 { location.altitude = 5 }
            if index % 4 != 0 { location.speed = Double(index) }
            if index % 4 != 1 { location.course = 10 * Double(index) }
            return location
        }
        for location in locations { writer.append(location, to: &bytes) }
        #expect(!String(decoding: bytes, as: UTF8.self).contains("235959"))
        let back = NMEAParserTests.reports(bytes).compactMap(\.location)
        #expect(back.map(\.coordinate.latitude) == locations.map(\.coordinate.latitude))
        #expect(back.map(\.altitude) == locations.map(\.altitude))
        #expect(back.map { $0.speed.map { ($0 * 1e3).rounded() / 1e3 } } == locations.map(\.speed))
        #expect(back.map(\.course) == locations.map(\.course))
        #expect(back.allSatisfy { $0.extra.hasNoTime == true })
    }

    @Test(arguments: [NMEAWriter.Order.timeFirst, .positionFirst])
    func `each epoch of a stream has its own accuracies and kind of fix`(order: NMEAWriter.Order) {
        var bytes: [UInt8] = []
        let writer = NMEAWriter(order: order)
        for index in 0..<30 {
            var location = Location(latitude: 1, longitude: 2, timestamp: Self.moment + .seconds(index))
            location.horizontalAccuracy = Double(index + 1)
            if index % 3 != 0 {
                location.altitude = 5
                location.verticalAccuracy = Double(2 * index + 1)
            }
            if index % 10 == 9 {
                writer.appendNoFix(at: location.timestamp, to: &bytes)
            } else {
                writer.append(location, to: &bytes)
            }
        }
        let reports = NMEAParserTests.reports(bytes)
        #expect(reports.count == 30)
        for (index, report) in reports.enumerated() {
            guard index % 10 != 9 else {
                #expect(report.mode == .noFix)
                continue
            }
            #expect(report.mode == (index % 3 == 0 ? .twoD : .threeD))
            #expect(abs((report.location?.horizontalAccuracy ?? 0) - Double(index + 1)) < 0.01, "\(index)")
            let vertical = report.location?.verticalAccuracy
            #expect(index % 3 == 0 ? vertical == nil : abs((vertical ?? 0) - Double(2 * index + 1)) < 0.01)
        }
    }

    @Test func `an epoch without a fix has no coordinates and no dilutions`() {
        var bytes: [UInt8] = []
        NMEAWriter(talker: "GN").appendNoFix(at: Self.moment, to: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("$GNRMC,235959.123,V,,,,,,,050126,,,N*"))
        #expect(text.contains("$GNGGA,235959.123,,,,,0,00,,,M,,M,,*"))
        #expect(text.contains("$GNGSA,A,1,,,,,,,,,,,,,,,*"))
        let reports = NMEAParserTests.reports(bytes)
        #expect(reports.map(\.mode) == [.noFix])
    }

    @Test(arguments: [Double.nan, .infinity, 1e300, 90.5])
    func `a position without a valid coordinate is an epoch without a fix`(latitude: Double) {
        var bytes: [UInt8] = []
        NMEAWriter().appendNoFix(at: Self.moment, to: &bytes)
        let text = Self.text(Location(latitude: latitude, longitude: 2, timestamp: Self.moment))
        #expect(text == String(decoding: bytes, as: UTF8.self))
    }

    @Test func `a location without altitude is a 2D fix`() {
        let location = Location(latitude: 1, longitude: 2, timestamp: Self.moment)
        let report = NMEAParserTests.reports(Self.text(location).utf8).first
        #expect(report?.mode == .twoD && report?.location?.altitude == nil && report?.location?.speed == nil)
    }

    @Test func `periods without a fix become one error each`() {
        let fix = PositionReport(time: nil, mode: .twoD, location: Location(latitude: 1, longitude: 2))
        let none = PositionReport(time: nil, mode: .noFix, location: nil)
        var watch = FixLossDetector()
        var texts: [String] = []
        for report in [none, none, fix, fix, none, none, fix] {
            if let event = watch.event(report) { texts.append(event.error?.description ?? "fix") }
        }
        #expect(texts == ["no fix", "fix", "fix", "no fix", "fix"])
        #expect(watch.lost(nil, reason: "unplugged")?.error?.description == "unplugged")
        #expect(watch.lost(nil, reason: "unplugged") == nil)
        // A report without a fix after that is another event: the device is back.
        #expect(watch.event(none) != nil)
    }

    @Test func `an error names the receiver that has lost its fix`() {
        var watch = FixLossDetector()
        func errors(_ device: String?) -> GeoError? {
            watch.event(PositionReport(device: device, time: nil, mode: .noFix, location: nil))?.error
        }
        #expect(errors("/dev/b")?.device == "/dev/b" && errors("/dev/b") == nil)
        #expect(errors("/dev/a")?.device == "/dev/a" && errors(nil)?.device == nil)
        #expect(watch.lost("/dev/b", reason: "unplugged")?.error?.device == "/dev/b")
        let all = watch.lost(nil, reason: "gpsd is lost")?.error
        #expect(all?.description == "gpsd is lost" && all?.device == nil)
    }
}
