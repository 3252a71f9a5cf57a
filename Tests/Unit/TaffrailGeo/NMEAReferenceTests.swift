import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

/// gpsd's reports of the logs of real receivers.
struct ReferenceFix {
    var time: Timestamp?
    var mode = 0
    var values: [String: Double] = [:]

    /// The TPV objects of a `.chk` file, in order.
    static func read(_ name: String) throws -> [ReferenceFix] {
        var fixes: [ReferenceFix] = []
        for line in try TestData.bytes(name).split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "{")
        {
            var reader = JSONReader(line)
            guard try reader.enterObject() else { continue }
            var fix = ReferenceFix()
            var isFix = false
            while try reader.nextKey() {
                let key = reader.text
                let token = try reader.next()
                if key == "class" {
                    isFix = reader.text == "TPV"
                } else if key == "time" {
                    fix.time = RFC3339.timestamp(reader.text)
                } else if token == .number {
                    fix.values[key] = reader.number
                } else {
                    try reader.skip(token)
                }
            }
            fix.mode = Int(fix.values["mode"] ?? 0)
            if isFix { fixes.append(fix) }
        }
        return fixes
    }
}

@Suite(.enabled(if: TestData.isThere, "\(TestData.reason)")) struct NMEAReferenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var epochs: Int
        /// Epochs that only we report: gpsd waits for a round's last sentence, which a truncated log lacks, and for the
        /// second round of its first fix, also of the first one after a period without times.
        var cutEpochs: Set<String> = []
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "haicom-305N", epochs: 68, cutEpochs: ["2007-04-08T09:53:04.802Z"]),
        Case(
            name: "bt451", epochs: 15,
            cutEpochs: ["2009-12-09T14:33:08.500Z", "2009-12-09T15:25:04.500Z", "2009-12-09T15:25:08.500Z"]),
        Case(name: "ericsson-gru04-02-70sec", epochs: 71),
    ]

    @Test(arguments: cases) func `a real receiver's log gives the same fixes as gpsd`(_ expected: Case) throws {
        let reports = NMEAParserTests.reports(try TestData.bytes("nmea/\(expected.name).log"))
        var ours: [Timestamp: Location] = [:]
        for report in reports { if let time = report.time, let location = report.location { ours[time] = location } }
        // gpsd reports an epoch several times; the last report is the complete one.
        var theirs: [Timestamp: ReferenceFix] = [:]
        for fix in try ReferenceFix.read("nmea/\(expected.name).log.chk") {
            if let time = fix.time, fix.mode >= 2, fix.values["status"] == nil { theirs[time] = fix }
        }
        #expect(ours.count == expected.epochs)
        var missing: [String] = []
        for (time, fix) in theirs.sorted(by: { $0.key < $1.key }) {
            guard let location = ours[time] else {
                missing.append("\(RFC3339.string(time)) \(fix.mode)")
                continue
            }
            func check(_ name: String, _ value: Double?, within tolerance: Double) {
                guard let theirs = fix.values[name] else { return }
                guard let value else {
                    missing.append("\(RFC3339.string(time)) \(name) \(theirs)")
                    return
                }
                if abs(value - theirs) > tolerance {
                    missing.append("\(RFC3339.string(time)) \(name) ours \(value) theirs \(theirs)")
                }
            }
            check("lat", location.coordinate.latitude, within: 1e-9)
            check("lon", location.coordinate.longitude, within: 1e-9)
            check("altMSL", location.altitude, within: 0.001)
            check("altHAE", location.ellipsoidalAltitude, within: 0.001)
            check("speed", location.speed, within: 0.001)
            check("track", location.course, within: 0.001)
            check("eph", location.horizontalAccuracy, within: 0.001)
            // No epv: gpsd computes it from the satellites' places in the sky, or takes the round before's VDOP.
        }
        #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
        #expect(Set(ours.keys.filter { theirs[$0] == nil }.map { RFC3339.string($0) }) == expected.cutEpochs)
    }
}
