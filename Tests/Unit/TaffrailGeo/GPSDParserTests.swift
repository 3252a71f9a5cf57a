import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite struct GPSDParserTests {
    static func reports(_ text: String) -> [GPSDReport] {
        var parser = GPSDParser()
        var reports: [GPSDReport] = []
        parser.read(text.utf8, received: Timestamp(nanoseconds: 9)) { reports.append($0) }
        return reports
    }

    static func position(_ text: String) throws -> PositionReport {
        let reports = reports(text + "\r\n")
        guard case .position(let report)? = reports.first else { throw TestFailure("no position in \(reports)") }
        return report
    }

    static let full = #"""
        {"class":"TPV","device":"tcp://127.0.0.1:5001","mode":3,"time":"2026-11-21T07:09:42.190Z","ept":0.005,"lat":48.1005,"lon":11.5005,"altHAE":81.9,"altMSL":35.0,"alt":99.0,"epv":34.5,"track":45.0,"magtrack":48.32,"magvar":3.3,"speed":5.144,"climb":-0.5,"epc":69.0,"geoidSep":46.9,"eph":17.1,"sep":34.2,"eps":2.5,"epd":3.5}
        """#

    @Test func `a TPV becomes a location with all its values`() throws {
        let report = try Self.position(Self.full)
        let location = try #require(report.location)
        #expect(report.device == "tcp://127.0.0.1:5001" && report.mode == .threeD)
        #expect(report.time == RFC3339.timestamp("2026-11-21T07:09:42.190Z"))
        #expect(location.coordinate == Coordinate(latitude: 48.1005, longitude: 11.5005))
        #expect(location.altitude == 35 && location.ellipsoidalAltitude == 81.9)
        #expect(location.horizontalAccuracy == 17.1 && location.verticalAccuracy == 34.5)
        #expect(location.course == 45 && location.courseAccuracy == 3.5)
        #expect(location.speed == 5.144 && location.speedAccuracy == 2.5)
        #expect(location.extra.climb == -0.5 && location.extra.climbAccuracy == 69)
        #expect(location.extra.geoidSeparation == 46.9 && location.extra.device == report.device)
        #expect(location.sourceInformation == nil)
    }

    @Test func `the deprecated alt is never read, and a 2D fix has no altitude`() throws {
        let twoD = try Self.position(#"{"class":"TPV","mode":2,"lat":1,"lon":2,"alt":5,"altMSL":7,"epv":3}"#)
        #expect(twoD.location?.altitude == nil && twoD.location?.verticalAccuracy == nil && twoD.mode == .twoD)
        let old = try Self.position(#"{"class":"TPV","mode":3,"lat":1,"lon":2,"alt":5}"#)
        #expect(old.location?.altitude == nil)
    }

    @Test func `a fix without a time gets the time of receipt and is marked`() throws {
        let report = try Self.position(#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":4}"#)
        #expect(report.time == nil && report.location?.timestamp == Timestamp(nanoseconds: 9))
        #expect(report.location?.extra.hasNoTime == true && report.location?.speed == nil)
    }

    @Test(arguments: [
        #"{"class":"TPV","mode":1}"#, #"{"class":"TPV"}"#, #"{"class":"TPV","mode":0,"lat":1,"lon":2}"#,
        #"{"class":"TPV","mode":3,"lat":1}"#, #"{"class":"TPV","mode":3,"lat":91,"lon":2}"#,
        #"{"class":"TPV","mode":3,"lat":"1","lon":2}"#, #"{"mode":1,"time":"2026-11-21T07:09:42Z","class":"TPV"}"#,
    ])
    func `without a fix there is no location`(text: String) throws {
        let report = try Self.position(text)
        #expect(report.mode == .noFix && report.location == nil)
    }

    @Test func `the accuracy falls back to epx and epy, then to the sky's dilution`() throws {
        let crossed = try Self.position(#"{"class":"TPV","mode":2,"lat":1,"lon":2,"epx":3,"epy":4}"#)
        #expect(crossed.location?.horizontalAccuracy == 5)
        let reports = Self.reports(
            #"""
            {"class":"SKY","device":"a","hdop":2.0,"vdop":3,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}
            {"class":"TPV","device":"a","mode":2,"lat":1,"lon":2}
            {"class":"TPV","device":"b","mode":2,"lat":1,"lon":2}

            """#)
        guard case .position(let first) = reports[1], case .position(let second) = reports[2] else {
            throw TestFailure("\(reports)")
        }
        #expect(first.location?.horizontalAccuracy == 38 && first.location?.extra.satellites == 1)
        #expect(second.location?.horizontalAccuracy == nil && second.location?.extra.satellites == nil)
    }

    @Test func `dilutions and satellites may come in different objects`() throws {
        let reports = Self.reports(
            #"""
            {"class":"SKY","device":"a","nSat":3,"uSat":2,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":true},{"PRN":3,"used":false}]}
            {"class":"SKY","device":"a","gdop":4,"hdop":2.0,"pdop":3.6,"tdop":2,"vdop":3.0}
            {"class":"TPV","device":"a","mode":2,"lat":1,"lon":2}
            {"class":"SKY","device":"a","nSat":4,"uSat":3,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":true},{"PRN":3,"used":true},{"PRN":4,"used":false}]}
            {"class":"SKY","device":"a"}
            {"class":"TPV","device":"a","mode":2,"lat":1,"lon":2}
            {"class":"SKY","device":"a","nSat":4,"uSat":0,"satellites":[{"PRN":1,"used":false}]}
            {"class":"TPV","device":"a","mode":2,"lat":1,"lon":2}

            """#)
        let locations = reports.compactMap { report -> Location? in
            if case .position(let position) = report { position.location } else { nil }
        }
        #expect(locations.map(\.extra.satellites) == [2, 3, 0])
        #expect(locations.map(\.extra.hdop) == [2, 2, nil] && locations.map(\.extra.vdop) == [3, 3, nil])
        #expect(locations.map(\.horizontalAccuracy) == [38, 38, nil])
    }

    @Test func `status 8 is simulated`() throws {
        let report = try Self.position(#"{"class":"TPV","mode":2,"lat":1,"lon":2,"status":8}"#)
        #expect(report.location?.isSimulated == true)
    }

    @Test func `devices come and go`() {
        let reports = Self.reports(
            #"""
            {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
            {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/1","driver":"NMEA0183","activated":"2026-11-21T07:09:42.190Z"},{"path":"/dev/b","activated":0}]}
            {"class":"WATCH","enable":true,"json":true}
            {"class":"DEVICE","path":"/dev/pts/1","activated":0}
            {"class":"ERROR","message":"Unrecognized request"}
            {"class":"AIS","type":5}

            """#)
        #expect(
            reports == [
                .version(release: "3.22", major: 3, minor: 14),
                .devices([
                    GPSDDevice(path: "/dev/pts/1", isActive: true, driver: "NMEA0183"),
                    GPSDDevice(path: "/dev/b", isActive: false),
                ]), .watch, .device(GPSDDevice(path: "/dev/pts/1", isActive: false)), .error("Unrecognized request"),
                .other("AIS"),
            ])
    }

    @Test func `broken, truncated and endless lines are survived`() {
        var parser = GPSDParser()
        var count = 0
        let cut = String(Self.full.prefix(200))
        let endless = "{\"class\":\"TPV\"," + String(repeating: "\"x\":1,", count: 20_000)
        let text = "\(cut)\r\n{}\r\n\(endless)\r\n$GPRMC,1*00\r\n[1]\r\n\u{0}\r\n{\"class\":7}\r\n\(Self.full)\r\n"
        for byte in text.utf8 { parser.read(CollectionOfOne(byte)) { _ in count += 1 } }
        #expect(count == 1)
        #expect(parser.brokenLines == 3)
    }

    @Test func `damaged lines never yield an impossible position`() {
        var generator = SeededGenerator(seed: 41)
        let line = Array((Self.full + "\n").utf8)
        var read = 0
        for _ in 0..<10_000 {
            var parser = GPSDParser()
            parser.read(generator.damaged(line) + [10]) { report in
                guard case .position(let position) = report, let location = position.location else { return }
                read += 1
                #expect(location.coordinate.isValid && (location.speed ?? 0) >= 0)
                #expect((0..<360).contains(location.course ?? 0) && (location.horizontalAccuracy ?? 0) >= 0)
            }
        }
        #expect(read > 100)
    }

    @Test(.enabled(if: TestData.isThere, "\(TestData.reason)"))
    func `the log of a receiver that has no fix is one error and no position`() throws {
        var parser = GPSDParser()
        var merger = EpochMerger()
        let events = GeoEvents()
        var publisher = FixPublisher { events.add($0) }
        var reports = 0
        parser.read(try TestData.bytes("nmea/bu303-nofix.log.chk")) { report in
            guard case .position(let position) = report else { return }
            reports += 1
            for whole in merger.take(position, now: Int64(reports) * 1_000_000_000) { publisher.take(whole) }
        }
        for whole in merger.finish() { publisher.take(whole) }
        #expect(reports == 7 && events.locations.isEmpty)
        #expect(events.all.compactMap(\.error).map(\.code) == [0] && events.errors == ["no fix"])
    }
}

/// Why a test cannot continue.
struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
