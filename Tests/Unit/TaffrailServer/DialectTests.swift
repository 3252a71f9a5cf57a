import Taffrail
import TaffrailGeo
import Testing

@testable import TaffrailServer

/// What devices send, as positions.
@Suite struct DialectTests {
    static let arrival = Arrival(time: Timestamp(nanoseconds: 1_767_700_000_000_000_000))

    /// The problem of a body; `nil` if it is accepted.
    private func problem(_ form: ReceivedBody, _ body: String) -> Problem? {
        do throws(Problem) {
            _ = try form.read(Array(body.utf8), Self.arrival)
            return nil
        } catch {
            return error
        }
    }

    private func read(_ form: ReceivedBody, _ body: String) throws -> ReceivedRecords {
        try form.read(Array(body.utf8), Self.arrival)
    }

    private func location(_ record: LogRecord?) throws -> Location {
        let record = try #require(record)
        #expect(record.eventName == "geo.location" && record.logger == "geo" && record.level == .info)
        #expect(record.timestamp == Self.arrival.time)
        return try #require(Location(attributes: record.attributes, received: record.timestamp))
    }

    static let ping = """
        {"deviceId":"phone-1","timestamp":"2026-01-05T14:30:00Z","latitude":55.6761,"longitude":12.5683,
        "horizontalAccuracyMeters":7.5,"speedMps":null,"mode":"stationaryDay","batteryLevel":0.83}
        """

    @Test func `a ping becomes a position with its device`() throws {
        let record = try #require(try read(.ping, Self.ping).records.first)
        let location = try location(record)
        #expect(location.coordinate == Coordinate(latitude: 55.6761, longitude: 12.5683))
        #expect(location.horizontalAccuracy == 7.5 && location.speed == nil && location.extra.device == "phone-1")
        #expect(record["taffrail.origin.time"] == .date(Timestamp(nanoseconds: 1_767_623_400_000_000_000)))
        #expect(record["taffrail.origin.device"] == "phone-1")
        #expect(record["taffrail.ping.mode"] == "stationaryDay" && record["taffrail.ping.battery"] == .double(0.83))
        #expect(
            PingBody.json(record).map { String(decoding: $0, as: UTF8.self) } == """
                {"deviceId":"phone-1","timestamp":"2026-01-05T14:30:00Z","latitude":55.6761,"longitude":12.5683,\
                "horizontalAccuracyMeters":7.5,"speedMps":null,"mode":"stationaryDay","batteryLevel":0.83,\
                "receivedAt":"2026-01-06T11:46:40Z"}
                """)
    }

    @Test(arguments: [
        ("{", "JSON"), ("[]", "object"), ("{}", "deviceId is missing"),
        (#"{"deviceId":7}"#, "deviceId must be a string"),
        (ping.replacing("2026-01-05T14:30:00Z", with: "yesterday"), "timestamp"),
        (ping.replacing("55.6761", with: "90.1"), "latitude must be from -90 to 90"),
        (ping.replacing("12.5683", with: #""12""#), "longitude must be a number"),
        (ping.replacing("12.5683", with: "NaN"), "JSON"), (ping.replacing("12.5683", with: "1e999"), "JSON"),
        (ping.replacing("7.5", with: "-1"), "not valid"),
        (ping.replacing("stationaryDay", with: "parked"), "mode must be"),
        (ping.replacing("0.83", with: "83"), "batteryLevel"), (ping + "{}", "JSON"),
        (ping.replacing("phone-1", with: String(repeating: "x", count: 257)), "256 bytes"),
    ])
    func `a ping that is not one is refused with the reason`(body: String, reason: String) {
        let problem = problem(.ping, body)
        #expect(problem?.status == 400 && problem?.detail.contains(reason) == true, "\(String(describing: problem))")
    }

    @Test(arguments: PingDialect.allCases) func `what this project sends is read as it was`(dialect: PingDialect) throws
    {
        var sent = Location(
            latitude: 55.6761, longitude: -12.5683, timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000))
        sent.horizontalAccuracy = 7
        sent.speed = 10
        sent.course = 90
        sent.altitude = 12
        sent.verticalAccuracy = 3
        let ping = Ping(
            deviceID: "ferry & co/1", location: sent, mode: .moving, battery: BatteryState(level: 0.5, isCharging: true)
        )
        let form: ReceivedBody =
            switch dialect {
            case .ping: .ping
            case .owntracks: .owntracks
            case .overland: .overland
            case .osmand: .osmand
            }
        // A topic has no space for a slash in a name; the header of the request has.
        let received =
            dialect == .owntracks
            ? try OwnTracksBody.read(dialect.body([ping]), user: "taffrail", device: "ferry & co/1", Self.arrival)
            : try form.read(dialect.body([ping]), Self.arrival)
        let record = try #require(received.records.first)
        let location = try location(record)
        #expect(location.timestamp == sent.timestamp && location.coordinate == sent.coordinate)
        #expect(location.horizontalAccuracy == 7 && location.extra.device == "ferry & co/1")
        #expect(abs((location.speed ?? 0) - 10) < 0.001)
        #expect(record["taffrail.ping.battery"] == .double(0.5))
        if dialect != .ping { #expect(location.course == 90 && location.altitude == 12) }
    }

    @Test func `OwnTracks has kilometres per hour, topics and tracker ids`() throws {
        let body = """
            {"_type":"location","lat":1.5,"lon":2.5,"tst":1767623400,"acc":5,"vac":0,"vel":36,"cog":360,"batt":7,"bs":1,
            "t":"u","tid":"p1","topic":"owntracks/jo/phone"}
            """
        let record = try read(.owntracks, body).records.first
        let location = try location(record)
        #expect(location.speed == 10 && location.course == 0 && location.extra.device == "phone")
        #expect(location.horizontalAccuracy == 5 && location.verticalAccuracy == nil)
        #expect(record?["taffrail.origin.user"] == "jo" && record?["taffrail.ping.charging"] == .bool(false))
        let plain = body.replacing(#","topic":"owntracks/jo/phone""#, with: "")
        #expect(try self.location(try read(.owntracks, plain).records.first).extra.device == "p1")
        let list = try read(.owntracks, "[\(body),\(body),{\"_type\":\"status\"}]")
        #expect(list.records.count == 2 && list.ignored == 1)
    }

    @Test func `OwnTracks' regions become events, and what is empty or encrypted is not stored`() throws {
        let transition = try read(
            .owntracks,
            #"{"_type":"transition","event":"leave","desc":"pier","tst":1767623400,"wtst":1,"lat":1,"lon":2,"tid":"p1"}"#
        )
        let record = try #require(transition.records.first)
        #expect(record.eventName == "geo.region" && record.message == "left pier")
        #expect(record["taffrail.geo.place"] == "pier" && record["taffrail.geo.transition"] == "leave")
        #expect(record["taffrail.origin.device"] == "p1")
        #expect(try read(.owntracks, "").records.isEmpty)
        #expect(problem(.owntracks, #"{"_type":"encrypted","data":"AAAA"}"#)?.status == 422)
        for body in [#"{"_type":"location","lat":1,"lon":2}"#, #"{"lat":1}"#, "7", "[7]"] {
            #expect(problem(.owntracks, body)?.status == 400, "\(body)")
        }
    }

    @Test func `Overland's features are positions, and other ones do not hold up the batch`() throws {
        let good = """
            {"type":"Feature","geometry":{"type":"Point","coordinates":[-122.030581,37.331800]},"properties":{
            "timestamp":"2026-01-05T15:30:00+0100","altitude":100.2,"speed":4,"course":-1,"horizontal_accuracy":30,
            "vertical_accuracy":-1,"motion":["driving","stationary"],"battery_state":"charging","battery_level":0.8,
            "wifi":"","device_id":"phone"}}
            """
        let bad = good.replacing("37.331800", with: "137")
        let received = try read(.overland, "{\"locations\":[\(bad),\(good),{},7],\"trip\":{}}")
        #expect(received.records.count == 1 && received.ignored == 3)
        let location = try location(received.records.first)
        #expect(location.coordinate == Coordinate(latitude: 37.3318, longitude: -122.030581))
        #expect(location.timestamp == Timestamp(nanoseconds: 1_767_623_400_000_000_000))
        #expect(location.altitude == nil && location.course == nil && location.speed == 4)
        #expect(received.records[0]["taffrail.geo.motion"] == ["driving", "stationary"])
        #expect(problem(.overland, "{}")?.detail == "locations is missing")
        #expect(problem(.overland, #"{"locations":{}}"#)?.status == 400)
    }

    @Test(arguments: [
        #""device_id":7"#, #""battery_state":2"#, #""motion":"driving""#, #""speed":"4""#, #""altitude":[]"#,
        #""battery_level":{}"#, #""course":true"#, "\"device_id\":\"\(String(repeating: "x", count: 257))\"",
    ])
    func `a property of an unexpected type does not cost the position`(property: String) throws {
        let feature = """
            {"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{
            "timestamp":"2026-01-05T14:30:00Z",\(property)}}
            """
        let received = try read(.overland, "{\"locations\":[\(feature)]}")
        #expect(received.ignored == 0)
        let location = try location(received.records.first)
        #expect(location.coordinate == Coordinate(latitude: 1, longitude: 2))
        if property.hasSuffix(":7") { #expect(location.extra.device == "7") }
    }

    @Test(arguments: [
        #""tid":7"#, #""batt":"7""#, #""vel":[]"#, #""t":1"#, #""topic":{}"#, #""bs":"x""#, #""acc":null"#,
    ])
    func `OwnTracks' phones are not held up by a field of an unexpected type`(field: String) throws {
        let body = "{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":1767623400,\(field)}"
        let location = try location(try read(.owntracks, body).records.first)
        #expect(location.coordinate == Coordinate(latitude: 1, longitude: 2))
        #expect(location.extra.device == (field.hasSuffix(":7") ? "7" : nil))
    }

    @Test func `Overland's batches have a limit of values`() {
        let values = String(repeating: "[],", count: 600_000)
        #expect(problem(.overland, "{\"locations\":[\(values)1]}")?.status == 413)
    }

    @Test(arguments: [
        ("timestamp=1767623400", 1_767_623_400.0), ("timestamp=1767623400000", 1_767_623_400),
        ("timestamp=2026-01-05T14:30:00Z", 1_767_623_400), ("timestamp=2026-01-05+14:30:00", 1_767_623_400),
        ("timestamp=2026-01-05T15:30:00.5%2B01:00", 1_767_623_400.5), ("", 1_767_700_000),
    ])
    func `OsmAnd's times have several forms`(field: String, seconds: Double) throws {
        let record = try read(.osmand, "id=1&lat=1&lon=2&\(field)").records.first
        #expect(try location(record).timestamp == Timestamp(secondsSince1970: seconds))
    }

    @Test func `OsmAnd has knots, and keeps unknown fields`() throws {
        let record = try read(
            .osmand,
            "deviceid=car&location=1.5,-2.5&speed=19.438444924406&heading=12&hdop=2&batt=50&charge=1&sat=7&driver=J%C3%B8rn"
        ).records.first
        let location = try location(record)
        #expect(abs((location.speed ?? 0) - 10) < 1e-9 && location.course == 12 && location.extra.hdop == 2)
        #expect(location.coordinate == Coordinate(latitude: 1.5, longitude: -2.5))
        #expect(record?["taffrail.origin.fields"] == ["sat": "7", "driver": "Jørn"])
        #expect(try read(.osmand, "id=1&lat=1&lon=2&valid=false").ignored == 1)
        for body in [
            "lat=1&lon=2", "id=1&lat=1", "id=1&lat=91&lon=2", "id=1&lat=x&lon=2", "id=1&lat=nan&lon=2", "id=%zz",
        ] {
            #expect(problem(.osmand, body)?.status == 400, "\(body)")
        }
    }

    @Test func `OsmAnd's JSON is read too`() throws {
        let record = try read(
            .osmandJSON,
            """
            {"device_id":"d1","location":{"timestamp":"2026-01-05T14:30:00.000Z","coords":{"latitude":1.5,"longitude":2.5,
            "accuracy":9,"speed":-1,"heading":-1,"altitude":3},"battery":{"level":0.4,"is_charging":true},
            "activity":{"type":"on_foot"},"event":"motionchange"}}
            """
        ).records.first
        let location = try location(record)
        #expect(location.speed == nil && location.course == nil && location.altitude == 3)
        #expect(location.extra.device == "d1" && record?["taffrail.ping.charging"] == .bool(true))
    }

    @Test func `a token's device replaces what a body claims`() throws {
        let arrival = Arrival(time: Self.arrival.time, device: "mine")
        for (form, body) in [
            (ReceivedBody.ping, Self.ping), (.osmand, "id=theirs&lat=1&lon=2"),
            (
                .lines,
                #"{"event":"geo.location","attributes":{"geo.location.lat":1,"geo.location.lon":2,"taffrail.geo.device":"theirs"}}"#
            ),
        ] {
            let record = try #require(try form.read(Array(body.utf8), arrival).records.first)
            #expect(record["taffrail.origin.device"] == "mine" && record["taffrail.geo.device"] == "mine")
            #expect(record.attributes.count { $0.key == "taffrail.geo.device" } == 1)
        }
    }
}
