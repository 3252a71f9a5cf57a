import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite struct NMEAParserTests {
    static func reports(_ bytes: some Sequence<UInt8>, _ options: NMEAParser.Options = .init()) -> [PositionReport] {
        var parser = NMEAParser(options)
        var reports: [PositionReport] = []
        parser.read(bytes, received: Timestamp(nanoseconds: 5)) { reports.append($0) }
        parser.finish { reports.append($0) }
        return reports
    }

    /// Sentences with their checksums.
    static func lines(_ bodies: String...) -> [UInt8] {
        var bytes: [UInt8] = []
        for body in bodies {
            let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
            bytes += Array("$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n".utf8)
        }
        return bytes
    }

    static func time(_ text: String) -> Timestamp? { RFC3339.timestamp(text) }

    @Test func `the three usual sentences are one epoch`() throws {
        let reports = Self.reports(
            Self.lines(
                "GPRMC,152505.00,A,5547.82113,N,02334.14130,W,19.438445,84.4,091209,,,A",
                "GPGGA,152505.00,5547.82113,N,02334.14130,W,1,04,2.72,37.0,M,26.9,M,,",
                "GPGSA,A,3,26,32,11,14,,,,,,,,,6.25,2.72,5.62"))
        try #require(reports.count == 1)
        let location = try #require(reports[0].location)
        #expect(reports[0].time == Self.time("2009-12-09T15:25:05Z"))
        #expect(reports[0].mode == .threeD)
        #expect(abs(location.coordinate.latitude - 55.7970188333) < 1e-9)
        #expect(abs(location.coordinate.longitude + 23.5690216667) < 1e-9)
        #expect(location.altitude == 37 && abs((location.ellipsoidalAltitude ?? 0) - 63.9) < 1e-9)
        #expect(abs((location.speed ?? 0) - 10) < 1e-6 && location.course == 84.4)
        #expect(abs((location.horizontalAccuracy ?? 0) - 51.68) < 1e-9)
        #expect(abs((location.verticalAccuracy ?? 0) - 129.26) < 1e-9)
        #expect(location.extra.satellites == 4 && location.sourceInformation == nil)
    }

    @Test func `values calculated from decimals have no digits of binary fractions`() throws {
        let reports = Self.reports(
            Self.lines(
                "GPRMC,152505.00,A,5547.82113,N,02334.14130,W,11.66,84.4,091209,,,A",
                "GPGGA,152505.00,5547.82113,N,02334.14130,W,1,04,1.1,37.1,M,26.9,M,,",
                "GPGSA,A,3,26,32,11,14,,,,,,,,,6.25,1.1,1.3"))
        let location = try #require(reports.first?.location)
        #expect(location.verticalAccuracy == 29.9 && location.horizontalAccuracy == 20.9)
        #expect(location.ellipsoidalAltitude == 64 && location.speed == 5.998422)
    }

    @Test(arguments: ["99.99", "99.9", "99.0", "0.0", ""])
    func `unknown dilutions are no numbers, and those of an earlier round do not replace them`(unknown: String) {
        func gga(_ second: Int, _ hdop: String = "") -> String {
            "GPGGA,1525\(second).00,5547.82113,N,02334.14130,W,1,04,\(hdop),37.0,M,26.9,M,,"
        }
        let gsa = "GPGSA,A,3,26,32,11,14,,,,,,,,,"
        // The second round and the last one have no GSA.
        let reports = Self.reports(
            Self.lines(
                gga(10, "2.72"), gsa + "6.25,2.72,5.62", gga(11), gga(12, unknown),
                gsa + "\(unknown),\(unknown),\(unknown)", gga(13)))
        let locations = reports.compactMap(\.location)
        #expect(locations.map(\.extra.hdop) == [2.72, 2.72, nil, nil])
        #expect(locations.map(\.extra.vdop) == [5.62, 5.62, nil, nil])
        #expect(locations.map(\.extra.pdop) == [6.25, 6.25, nil, nil])
        #expect(locations.map(\.horizontalAccuracy) == [51.68, 51.68, nil, nil])
        #expect(locations.map(\.verticalAccuracy) == [129.26, 129.26, nil, nil])
    }

    @Test func `a receiver's own error estimates are preferred to dilutions`() {
        let reports = Self.reports(
            Self.lines(
                "GPGGA,172814.0,3723.4658,N,12202.2695,W,2,6,1.2,18.893,M,-25.669,M,2.0,0031",
                "GPGST,172814.0,0.006,0.023,0.020,273.6,3.0,4.0,0.031"))
        #expect(reports.first?.location?.horizontalAccuracy == 5)
        #expect(reports.first?.location?.verticalAccuracy == 0.031)
        // These sentences contain no date.
        #expect(reports.first?.time == nil)
        #expect(reports.first?.location?.extra.hasNoTime == true)
        #expect(reports.first?.location?.timestamp == Timestamp(nanoseconds: 5))
    }

    @Test func `GNS, VTG, GLL and ZDA form a complete epoch, too`() throws {
        let reports = Self.reports(
            Self.lines(
                "GNZDA,213712.000,12,02,2026,,",
                "GNGNS,213712.000,4111.59903,N,11156.54809,W,AANN,13,0.93,01482.5,-016.5,,",
                "GNVTG,090.0,T,101.3,M,010.0,N,018.5,K,A", "GNGLL,4111.59903,N,11156.54809,W,213712.000,A,A"))
        try #require(reports.count == 1)
        let location = try #require(reports[0].location)
        #expect(reports[0].time == Self.time("2026-02-12T21:37:12Z"))
        #expect(location.altitude == 1_482.5 && location.ellipsoidalAltitude == 1_466)
        #expect(location.course == 90 && abs((location.speed ?? 0) - 5.1444) < 1e-3)
    }

    @Test func `the date of a receiver's clock counts from the first fix on`() {
        let reports = Self.reports(
            Self.lines(
                "GPGGA,235948.799,,,,,0,0,,,M,,M,,", "GPZDA,235948.799,05,01,1980,,",
                "GPGGA,101500.000,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,", "GPZDA,101500.000,12,02,2024,,",
                "GPGGA,101501.000,,,,,0,0,,,M,,M,,", "GPZDA,101501.000,12,02,2024,,"))
        #expect(reports.map(\.time) == [nil, Self.time("2024-02-12T10:15:00Z"), Self.time("2024-02-12T10:15:01Z")])
        #expect(reports.map { $0.location != nil } == [false, true, false])
    }

    @Test func `a wrong checksum is counted and skipped, a missing one is accepted`() {
        var parser = NMEAParser()
        var reports: [PositionReport] = []
        let text = "$GPGLL,4916.45,N,12311.12,W,225444,A*00\r\n$GPGLL,4916.45,N,12311.12,W,225445,A\r\nrubbish\r\n"
        parser.read(Array(text.utf8)) { reports.append($0) }
        parser.finish { reports.append($0) }
        #expect(reports.count == 1)
        #expect(parser.counts.wrongChecksums == 1 && parser.counts.malformed == 1 && parser.counts.sentences == 1)
    }

    @Test func `a sentence that was cut does not make its epoch void`() {
        var parser = NMEAParser()
        var reports: [PositionReport] = []
        // Whole; without what followed the latitude, and without what followed the digits of the longitude.
        for (second, length) in [(10, 72), (11, 29), (12, 41)] {
            let rmc = Self.lines("GPRMC,1525\(second).00,A,5547.82113,N,02334.14130,E,0.253,84.4,091209,,,A")
            let gga = Self.lines("GPGGA,1525\(second).00,5547.82113,N,02334.14130,E,1,04,2.72,37.0,M,26.9,M,,")
            parser.read(rmc + gga.prefix(length) + [13, 10]) { reports.append($0) }
        }
        parser.finish { reports.append($0) }
        #expect(reports.map(\.mode) == [.threeD, .twoD, .twoD])
        for report in reports {
            #expect(abs((report.location?.coordinate.longitude ?? 0) - 23.5690216667) < 1e-9)
        }
        #expect(parser.counts.sentences == 4 && parser.counts.malformed == 2)
    }

    @Test func `a receiver without checksums is read also after one that sends them`() {
        var parser = NMEAParser()
        var reports: [PositionReport] = []
        // As of a file with the sentences of both, or a socket at which the one replaces the other.
        for second in 10..<20 {
            let rmc = "GPRMC,1525\(second).00,A,5547.82113,N,02334.14130,E,0.253,84.4,091209,,,A"
            parser.read(second < 12 ? Self.lines(rmc) : Array("$\(rmc)\r\n".utf8)) { reports.append($0) }
        }
        parser.finish { reports.append($0) }
        // Three might have been cut.
        let seconds = [10, 11, 15, 16, 17, 18, 19]
        #expect(reports.map(\.time) == seconds.map { Self.time("2009-12-09T15:25:\($0)Z") })
        #expect(parser.counts.sentences == 7 && parser.counts.malformed == 3)
    }

    @Test(arguments: [
        "GPRMC,152505.00,V,5547.82113,N,02334.14130,E,0.253,,091209,,,N", "GPGGA,152505.00,,,,,0,00,99.99,,,,,,",
        "GPGLL,5547.82107,N,02334.14132,E,152504.50,V,N", "GNGNS,152505.00,5547.82113,N,02334.14130,E,NN,13,0.93,1,1,,",
        "GPGGA,152505.00,5547.82113,N,02334.14130,E,0,04,2.72,37.0,M,26.9,M,,",
        "GPRMC,152505.00,A,5560.00,N,02334.14130,E,0.253,,091209,,,A",
        "GPRMC,152505.00,A,9147.00,N,02334.14130,E,0.253,,091209,,,A",
        "GPRMC,152505.00,A,5547.00,X,02334.14130,E,0.253,,091209,,,A",
    ])
    func `without a fix, or with invalid coordinates, there is no location`(body: String) {
        let reports = Self.reports(Self.lines(body))
        #expect(reports.count == 1)
        #expect(reports.first?.location == nil && reports.first?.mode == .noFix)
    }

    @Test func `a void sentence makes its epoch void`() {
        let reports = Self.reports(
            Self.lines(
                "GPGGA,095304.802,2712.6520,S,15303.1397,E,1,03,17.0,3.0,M,42.2,M,,", "GPGSA,A,1,,,,,,,,,,,,,,,",
                "GPGGA,095305.802,2712.6520,S,15303.1397,E,1,03,17.0,3.0,M,42.2,M,,"))
        #expect(reports.map(\.mode) == [.noFix, .threeD])
    }

    @Test func `midnight passes with either sentence first, and a new year too`() {
        let rmcFirst = Self.reports(
            Self.lines(
                "GPRMC,235959.000,A,5547.8,N,02334.1,E,0,0,311225,,,A",
                "GPGGA,235959.000,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,",
                "GPRMC,000000.000,A,5547.8,N,02334.1,E,0,0,010126,,,A",
                "GPGGA,000000.000,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,"))
        let ggaFirst = Self.reports(
            Self.lines(
                "GPGGA,235958.500,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,",
                "GPRMC,235958.500,A,5547.8,N,02334.1,E,0,0,311225,,,A",
                "GPGGA,235959.500,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,",
                "GPGGA,000000.500,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,",
                "GPRMC,000000.500,A,5547.8,N,02334.1,E,0,0,010126,,,A",
                "GPGGA,000001.500,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,"))
        #expect(rmcFirst.map(\.time) == [Self.time("2025-12-31T23:59:59Z"), Self.time("2026-01-01T00:00:00Z")])
        #expect(
            ggaFirst.map(\.time) == [
                Self.time("2025-12-31T23:59:58.5Z"), Self.time("2025-12-31T23:59:59.5Z"),
                Self.time("2026-01-01T00:00:00.5Z"), Self.time("2026-01-01T00:00:01.5Z"),
            ])
    }

    @Test func `a week number rollover is corrected only if requested`() {
        let body = Self.lines("GPRMC,120000.000,A,5547.8,N,02334.1,E,0,0,010806,,,A")
        #expect(Self.reports(body).first?.time == Self.time("2006-08-01T12:00:00Z"))
        let notBefore = Self.time("2026-01-01T00:00:00Z")
        #expect(
            Self.reports(body, .init(notBefore: notBefore)).first?.time == Self.time("2026-03-17T12:00:00Z"))
        let good = Self.lines("GPRMC,120000.000,A,5547.8,N,02334.1,E,0,0,010830,,,A")
        #expect(Self.reports(good, .init(notBefore: notBefore)).first?.time == Self.time("2030-08-01T12:00:00Z"))
    }

    @Test func `a live epoch is reported with the sentence that usually is the last`() {
        var parser = NMEAParser(.init(isLive: true))
        var reports = 0
        for second in 10..<20 {
            parser.read(Self.lines("GPRMC,1200\(second).000,A,5547.8,N,02334.1,E,0,0,010830,,,A")) { _ in reports += 1 }
            parser.read(Self.lines("GPGGA,1200\(second).000,5547.8,N,02334.1,E,1,04,2,37.0,M,,M,,")) { _ in reports += 1
            }
            #expect(reports == (second < 12 ? second - 10 : second - 9))
        }
    }

    @Test func `bytes may come in pieces, between rubbish and overlong lines`() {
        let text = Self.lines("GPRMC,120000.000,A,5547.8,N,02334.1,E,0,0,010830,,,A")
        let rubbish = [UInt8](repeating: 0xA0, count: 5_000) + [10]
        var parser = NMEAParser()
        var reports = 0
        for byte in rubbish + text { parser.read(CollectionOfOne(byte)) { _ in reports += 1 } }
        // Noise directly in front of a sentence does not spoil it.
        parser.read([1, 2, 3] + Self.lines("GPRMC,120001.000,A,5547.8,N,02334.1,E,0,0,010830,,,A")) { _ in reports += 1
        }
        parser.finish { _ in reports += 1 }
        #expect(reports == 2)
    }

    @Test func `damaged sentences never yield an impossible position`() {
        var generator = SeededGenerator(seed: 21)
        let text = Self.lines(
            "GPRMC,152505.00,A,5547.82113,N,02334.14130,E,0.253,84.4,091209,,,A",
            "GPGGA,152505.00,5547.82113,N,02334.14130,E,1,04,2.72,37.0,M,26.9,M,,",
            "GPGSA,A,3,26,32,11,14,,,,,,,,,6.25,2.72,5.62", "GPVTG,84.4,T,,M,0.253,N,0.469,K,A",
            "GNGNS,152505.00,5547.82113,N,02334.14130,E,AANN,13,0.93,01482.5,-016.5,,")
        // Without checksums the damage gets through to the fields.
        let bare = String(decoding: text, as: UTF8.self).split(separator: "\r\n").map { $0.dropLast(3) }
            .joined(separator: "\r\n")
        for _ in 0..<10_000 {
            for report in Self.reports(generator.damaged(Array(bare.utf8))) {
                guard let location = report.location else { continue }
                #expect(location.coordinate.isValid)
                #expect((location.horizontalAccuracy ?? 0) >= 0 && (location.speed ?? 0) >= 0)
                #expect((0..<360).contains(location.course ?? 0))
            }
        }
    }

    @Test(
        arguments: [
            // A Quectel modem: GSA knows two dimensions, GGA has a fix of seven satellites with an altitude.
            ("GPGGA,092204.999,4250.5589,S,14718.5084,E,1,07,1.1,24.4,M,19.7,M,,", 24.4),
            // A Telit modem's differential fix of four.
            ("GNGGA,092204.999,4250.5589,S,14718.5084,E,2,04,2.9,-3.1,M,19.7,M,,", -3.1),
            // Three satellites give no altitude; nor does an invalid fix, or a sentence without one.
            ("GPGGA,092204.999,4250.5589,S,14718.5084,E,1,03,4.1,24.4,M,19.7,M,,", nil),
            ("GPGGA,092204.999,4250.5589,S,14718.5084,E,1,07,1.1,,M,,M,,", nil),
        ] as [(String, Double?)])
    func `a fix whose GSA has two dimensions keeps GGA's altitude if it has enough satellites`(
        gga: String, altitude: Double?
    ) throws {
        let reports = Self.reports(
            Self.lines(
                "GPRMC,092204.999,A,4250.5589,S,14718.5084,E,0.00,89.68,211200,,,A", gga,
                "GPGSA,A,2,04,05,,09,12,,,24,,,,,2.5,1.3,2.1"))
        let report = try #require(reports.first)
        #expect(reports.count == 1 && report.location?.altitude == altitude)
        #expect(report.mode == (altitude == nil ? .twoD : .threeD))
    }

    @Test func `the first fix after a period without times is kept`() throws {
        let reports = Self.reports(
            Self.lines(
                "GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,", "GPRMC,,V,,,,,,,,,,N",
                "GPGGA,,,,,,0,00,99.99,,,,,,",
                "GPRMC,092204.00,A,4250.5589,S,14718.5084,E,0.00,89.68,211200,,,A",
                "GPGGA,092204.00,4250.5589,S,14718.5084,E,1,07,1.1,24.4,M,19.7,M,,",
                "GPRMC,092205.00,A,4250.5599,S,14718.5084,E,0.00,89.68,211200,,,A",
                "GPGGA,092205.00,4250.5599,S,14718.5084,E,1,07,1.1,24.4,M,19.7,M,,"))
        #expect(reports.map { $0.location != nil } == [false, false, true, true])
        #expect(reports.compactMap(\.time) == [Self.time("2000-12-21T09:22:04Z"), Self.time("2000-12-21T09:22:05Z")])
    }

    @Test func `a receiver without times may be as fast as it likes`() {
        var bytes: [UInt8] = []
        for index in 0..<40 {
            let digits = index < 10 ? "0\(index)" : "\(index)"
            bytes += Self.lines("GPGGA,,4250.55\(digits),S,14718.5084,E,1,07,1.1,24.4,M,19.7,M,,")
        }
        #expect(Self.reports(bytes).compactMap(\.location).count == 40)
    }
}
