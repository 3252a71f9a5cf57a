import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailText

@Suite struct PingDialectTests {
    private static let full: Ping = {
        var fix = Location(
            latitude: 55.6761, longitude: -12.5683, timestamp: Timestamp(nanoseconds: 1_767_623_400_250_000_000))
        fix.horizontalAccuracy = 4.6
        fix.verticalAccuracy = 8
        fix.altitude = 12.5
        fix.speed = 13.9
        fix.course = 359.7
        return Ping(
            deviceID: "van \"7\"", location: fix, mode: .moving,
            battery: BatteryState(level: 0.825, isCharging: true))
    }()

    private static let bare: Ping = {
        var fix = Location(
            latitude: 0, longitude: 179.5, timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000))
        fix.horizontalAccuracy = 10
        return Ping(deviceID: "boat", location: fix, mode: .homeOrNight)
    }()

    private static func text(_ dialect: PingDialect, _ pings: Ping...) -> String {
        String(decoding: dialect.body(pings), as: UTF8.self)
    }

    @Test func `the payload has exactly the keys of its design, in order, with nulls`() {
        #expect(
            Self.text(.ping, Self.full) == #"{"deviceId":"van \"7\"","timestamp":"2026-01-05T14:30:00.250Z","#
                + #""latitude":55.6761,"longitude":-12.5683,"horizontalAccuracyMeters":4.6,"speedMps":13.9,"#
                + #""mode":"moving","batteryLevel":0.825}"#)
        #expect(
            Self.text(.ping, Self.bare) == #"{"deviceId":"boat","timestamp":"2026-01-05T14:30:00Z","#
                + #""latitude":0.0,"longitude":179.5,"horizontalAccuracyMeters":10.0,"speedMps":null,"#
                + #""mode":"homeOrNight","batteryLevel":null}"#)
    }

    @Test func `OwnTracks gets km per hour, percent and its own keys`() {
        #expect(
            Self.text(.owntracks, Self.full) == #"{"_type":"location","lat":55.6761,"lon":-12.5683,"tst":1767623400,"#
                + #""acc":5,"alt":13,"vac":8,"vel":50,"cog":0,"batt":83,"bs":2,"m":2,"t":"t","tid":"7\"","#
                + #""topic":"owntracks/taffrail/van \"7\""}"#)
        var beat = Self.bare
        beat.isHeartbeat = true
        #expect(
            Self.text(.owntracks, beat) == #"{"_type":"location","lat":0.0,"lon":179.5,"tst":1767623400,"acc":10,"#
                + #""m":1,"t":"p","tid":"at","topic":"owntracks/taffrail/boat"}"#)
        let headers = PingDialect.owntracks.headers(for: Self.bare)
        #expect(headers.map { "\($0.name): \($0.value)" } == ["X-Limit-U: taffrail", "X-Limit-D: boat"])
    }

    @Test func `Overland gets features, several in a request`() {
        #expect(
            Self.text(.overland, Self.full, Self.bare)
                == #"{"locations":[{"type":"Feature","geometry":{"type":"Point","#
                + #""coordinates":[-12.5683,55.6761]},"properties":{"timestamp":"2026-01-05T14:30:00.250Z","#
                + #""altitude":12.5,"speed":13.9,"horizontal_accuracy":4.6,"vertical_accuracy":8.0,"course":359.7,"#
                + #""motion":[],"battery_state":"charging","battery_level":0.825,"device_id":"van \"7\""}},"#
                + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[179.5,0.0]},"properties":{"#
                + #""timestamp":"2026-01-05T14:30:00Z","speed":-1.0,"horizontal_accuracy":10.0,"#
                + #""vertical_accuracy":-1.0,"course":-1.0,"motion":["stationary"],"battery_state":"unknown","#
                + #""device_id":"boat"}}]}"#)
        #expect(PingDialect.overland.batchLimit == 100 && PingDialect.ping.batchLimit == 1)
    }

    @Test func `OsmAnd gets a form with knots and milliseconds`() {
        #expect(
            Self.text(.osmand, Self.full) == "id=van%20%227%22&timestamp=1767623400250&lat=55.6761&lon=-12.5683"
                + "&accuracy=4.6&altitude=12.5&speed=27.019&bearing=359.7&batt=83&charge=true&mode=moving")
        #expect(
            Self.text(.osmand, Self.bare)
                == "id=boat&timestamp=1767623400000&lat=0.0&lon=179.5&accuracy=10.0&mode=homeOrNight")
        #expect(PingDialect.osmand.contentType == "application/x-www-form-urlencoded")
    }

    @Test(arguments: [
        (#"{"result":"ok"}"#, true), (#" { "saved": 2, "result" : "ok" }"#, true), (#"{"result":"error"}"#, false),
        ("ok", false), ("", false), (#"{"error":{"result":"ok"}}"#, false),
    ])
    func `only Overland's receivers confirm in the body`(body: String, isConfirmed: Bool) {
        #expect(PingDialect.overland.isConfirmed(by: body.utf8) == isConfirmed)
        #expect(PingDialect.ping.isConfirmed(by: body.utf8))
    }

    @Test func `every body of JSON is JSON`() throws {
        var odd = Self.full
        odd.deviceID = "a\u{1}\n\\ø"
        odd.location.speed = .nan
        odd.location.altitude = .infinity
        odd.location.course = 1e300
        for dialect in PingDialect.allCases where dialect != .osmand {
            let body = Data(dialect.body([odd]))
            #expect(try JSONSerialization.jsonObject(with: body) is [String: Any])
        }
    }

    @Test func `a ping is a record, and is the same again`() {
        var visit = Self.bare
        visit.trigger = .visit
        visit.isHeartbeat = true
        visit.battery = BatteryState(level: nil, isCharging: false)
        for ping in [Self.full, Self.bare, visit] {
            let record = ping.record(at: Timestamp(nanoseconds: 7))
            #expect(record.logger == "pinger" && record.eventName == "ping")
            #expect(Ping(record) == ping)
        }
        #expect(Ping(LogRecord(level: .info, message: "", eventName: "ping")) == nil)
    }

    @Test func `a decision to send is a ping, with its reason`() {
        var policy = PingPolicy()
        let sent = policy.evaluate(Self.bare.location, trigger: .visit)
        let ping = Ping(sent, deviceID: "boat", battery: nil)
        #expect(ping?.trigger == .visit && ping?.isHeartbeat == false && ping?.location == Self.bare.location)
        #expect(Ping(policy.evaluate(Self.bare.location), deviceID: "boat", battery: nil) == nil)
    }
}

@Suite(.mayBlock) struct DeviceIDTests {
    @Test(
        .enabled(if: Program.path("systemd-id128") != nil, "systemd-id128 is not installed"),
        .enabled(if: DeviceID.machine != nil, "this machine has no id"))
    func `the machine's name is systemd's application-specific id`() throws {
        let result = try Program.run(
            ["machine-id", "--app-specific=\(DeviceID.application)"], of: "systemd-id128")
        #expect(result.code == 0)
        #expect(DeviceID.machine == result.output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test func `the hash does not change, and needs a whole id`() throws {
        let folder = TemporaryDirectory()
        func id(_ text: String) throws -> String? {
            try Data(text.utf8).write(to: URL(filePath: folder.file("machine-id")))
            return DeviceID.machine([folder.file("absent"), folder.file("machine-id")])
        }
        let first = try #require(try id("0123456789abcdef0123456789abcdef\n"))
        #expect(first.count == 32 && first.utf8[first.utf8.index(first.startIndex, offsetBy: 12)] == UInt8(ascii: "4"))
        #expect(try id("0123456789abcdef0123456789abcdef") == first)
        #expect(try id("0123456789abcdef0123456789abcdee") != first)
        for text in ["", "uninitialized\n", "0123", String(repeating: "0", count: 32)] { #expect(try id(text) == nil) }
    }
}
