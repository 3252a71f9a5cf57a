import Taffrail
import Testing

@testable import TaffrailServer

/// Log records in bodies: lines and OTLP.
@Suite struct LogBodyTests {
    private let arrival = DialectTests.arrival

    private func read(_ form: ReceivedBody, _ body: [UInt8]) throws -> [LogRecord] {
        try form.read(body, arrival).records
    }

    private func problem(_ form: ReceivedBody, _ body: [UInt8]) -> Problem? {
        do throws(Problem) {
            _ = try form.read(body, arrival)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a line of this project keeps everything, with its origin`() throws {
        let line = """
            {"time":"2026-01-05T14:30:00.123456789Z","level":"notice","message":"left pier 4","logger":"ferry","event":"geo.visit",\
            "attributes":{"taffrail.geo.arrival":"2026-01-05T14:00:00Z","n":7},\
            "trace_id":"0123456789abcdef0123456789abcdef","span_id":"0123456789abcdef","trace_flags":"01",\
            "file":"Ferry/Main.swift","line":12,"function":"leave()","seq":41,"run":"00000000000000ab"}
            """
        let record = try #require(try read(.lines, Array("\n\(line)\r\n\n".utf8)).first)
        #expect(record.timestamp == arrival.time && record.level == .notice && record.message == "left pier 4")
        #expect(
            record.logger == "ferry" && record.eventName == "geo.visit" && record.sequence == 0 && record.run == .none)
        #expect(record["taffrail.origin.time"] == .date(Timestamp(nanoseconds: 1_767_623_400_123_456_789)))
        #expect(record["taffrail.origin.run"] == "00000000000000ab" && record["taffrail.origin.seq"] == 41)
        #expect(record["taffrail.geo.arrival"] == .date(Timestamp(nanoseconds: 1_767_621_600_000_000_000)))
        #expect(record["n"] == 7 && record.source?.line == 12 && record.trace?.flags == .sampled)
    }

    @Test func `a record that is forwarded keeps its first origin`() throws {
        let body = """
            {"message":"m","time":"2026-02-01T00:00:00Z","seq":2,"run":"00000000000000cd",\
            "attributes":{"taffrail.origin.time":"2026-01-05T14:30:00Z","taffrail.origin.run":"00000000000000ab","taffrail.origin.seq":41}}
            """
        let record = try #require(try read(.lines, Array(body.utf8)).first)
        #expect(record["taffrail.origin.time"] == .date(Timestamp(nanoseconds: 1_767_623_400_000_000_000)))
        #expect(record["taffrail.origin.run"] == "00000000000000ab" && record["taffrail.origin.seq"] == 41)
        #expect(record.attributes.count == 3)
    }

    @Test func `the monotonic clock of another machine is not compared with this one's`() throws {
        let body = """
            {"message":"a","event":"geo.location","attributes":\
            {"geo.location.lat":1,"geo.location.lon":2,"taffrail.geo.uptime":900000000000000,"taffrail.geo.speed":3}}
            """
        let record = try #require(try read(.lines, Array(body.utf8)).first)
        #expect(record["taffrail.geo.uptime"] == nil && record["taffrail.geo.speed"] == 3)
        #expect(record.attributes.count == 3)
    }

    @Test(arguments: [
        "text", "{}\n[]", "{\"a\":}", "{\"a\":NaN}", "{} {}", "{\"a\":" + String(repeating: "[", count: 100_000),
    ])
    func `a body with a line that is no object is refused whole`(body: String) {
        #expect(problem(.lines, Array(body.utf8))?.status == 400)
    }

    @Test func `bytes that are not UTF-8 are replaced`() throws {
        let body = Array(#"{"message":"a"#.utf8) + [0xFF, 0xC3] + Array("b\"}".utf8)
        #expect(try read(.lines, body).first?.message == "a\u{FFFD}\u{FFFD}b")
        let json =
            Array(#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a"#.utf8) + [0xFF]
            + Array(#"b"}}]}]}]}"#.utf8)
        #expect(try read(.otlpJSON, json).first?.message == "a\u{FFFD}b")
    }

    // MARK: OTLP

    /// A request with every field, its members in an unusual order.
    static let request = """
        {"resourceLogs":[{"schemaUrl":"x","scopeLogs":[{"logRecords":[{
        "attributes":[{"key":"taffrail.run","value":{"stringValue":"00000000000000ab"}},
        {"key":"taffrail.seq","value":{"intValue":"41"}},{"value":{"doubleValue":1.5},"key":"d"},
        {"key":"nan","value":{"doubleValue":"NaN"}},{"key":"b","value":{"boolValue":true}},
        {"key":"bytes","value":{"bytesValue":"AP8="}},{"key":"event.name","value":{"stringValue":"docked"}},
        {"key":"list","value":{"arrayValue":{"values":[{"intValue":1},{"stringValue":"x"},{}]}}},
        {"key":"map","value":{"kvlistValue":{"values":[{"key":"k","value":{"intValue":"2"}}]}}},
        {"key":"code.file.path","value":{"stringValue":"a.swift"}},{"key":"code.line.number","value":{"intValue":"3"}}],
        "timeUnixNano":"1767623400123456789","observedTimeUnixNano":"1767623401000000000","severityNumber":13,
        "severityText":"WARNING2","body":{"stringValue":"hello"},"droppedAttributesCount":2,"flags":1,
        "traceId":"0123456789ABCDEF0123456789abcdef","spanId":"0123456789abcdef","eventName":"docked","new":{"a":[1]}},
        {"body":{"kvlistValue":{"values":[{"key":"k","value":{"intValue":"2"}}]}}}],
        "scope":{"name":"net.http","version":"1","attributes":[{"key":"scope","value":{"stringValue":"s"}}]}}],
        "resource":{"attributes":[{"key":"service.name","value":{"stringValue":"ferry"}},
        {"key":"d","value":{"intValue":"0"}}]}}]}
        """

    @Test func `OTLP in JSON keeps everything, whatever its order`() throws {
        let records = try read(.otlpJSON, Array(Self.request.utf8))
        try #require(records.count == 2)
        let record = records[0]
        #expect(record.level == .warning && record.message == "hello" && record.logger == "net.http")
        #expect(record.eventName == "docked" && record.source?.file == "a.swift" && record.source?.line == 3)
        #expect(record.trace?.traceID.description == "0123456789abcdef0123456789abcdef")
        #expect(record.trace?.spanID.description == "0123456789abcdef" && record.trace?.flags == .sampled)
        #expect(record["taffrail.origin.time"] == .date(Timestamp(nanoseconds: 1_767_623_400_123_456_789)))
        #expect(record["taffrail.origin.run"] == "00000000000000ab" && record["taffrail.origin.seq"] == 41)
        #expect(record["taffrail.origin.severity"] == "WARNING2" && record["taffrail.origin.dropped_attributes"] == 2)
        #expect(record["d"] == .double(1.5) && record["b"] == .bool(true) && record["bytes"] == .bytes([0, 255]))
        #expect(record["list"] == [1, "x", ""] && record["map"] == ["k": 2])
        if case .double(let number)? = record["nan"] { #expect(number.isNaN) } else { Issue.record("no NaN") }
        #expect(record["service.name"] == "ferry" && record["scope"] == "s" && record["event.name"] == nil)
        #expect(records[1].message == #"{"k":2}"# && records[1].logger == "net.http" && records[1].level == .info)
        #expect(records[1]["d"] == 0 && records[1]["taffrail.origin.time"] == nil)
    }

    /// Builds messages of protobuf.
    struct Message {
        var bytes: [UInt8] = []

        private mutating func varint(_ value: UInt64) {
            var value = value
            while value >= 0x80 {
                bytes.append(UInt8(value & 0x7F) | 0x80)
                value >>= 7
            }
            bytes.append(UInt8(value))
        }

        func number(_ field: UInt64, _ value: UInt64) -> Message {
            var copy = self
            copy.varint(field << 3)
            copy.varint(value)
            return copy
        }

        func fixed64(_ field: UInt64, _ value: UInt64) -> Message {
            var copy = self
            copy.varint(field << 3 | 1)
            copy.bytes += (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return copy
        }

        func fixed32(_ field: UInt64, _ value: UInt32) -> Message {
            var copy = self
            copy.varint(field << 3 | 5)
            copy.bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return copy
        }

        func data(_ field: UInt64, _ value: [UInt8]) -> Message {
            var copy = self
            copy.varint(field << 3 | 2)
            copy.varint(UInt64(value.count))
            copy.bytes += value
            return copy
        }

        func text(_ field: UInt64, _ value: String) -> Message { data(field, Array(value.utf8)) }
        func message(_ field: UInt64, _ value: Message) -> Message { data(field, value.bytes) }
    }

    private static func attribute(_ key: String, _ value: Message) -> Message {
        Message().text(1, key).message(2, value)
    }

    static func request(_ records: Message...) -> [UInt8] {
        var scope = Message()
        for record in records { scope = scope.message(2, record) }
        scope = scope.message(1, Message().text(1, "net.http"))
        let resource = Message().message(1, attribute("service.name", Message().text(1, "ferry")))
        return Message().message(1, Message().message(2, scope).message(1, resource).text(3, "x")).bytes
    }

    @Test func `OTLP in protobuf keeps everything, whatever its order, and skips what is new`() throws {
        let trace = (0..<16).map { UInt8($0 + 1) }
        var record = Message().text(12, "docked").data(9, trace).data(10, Array(trace[..<8])).fixed32(8, 1)
        record = record.fixed64(1, 1_767_623_400_123_456_789).fixed64(11, 5).number(2, 17).text(3, "ERROR")
        record = record.message(5, Message().text(1, "hello")).number(7, 2)
        record = record.message(6, Self.attribute("taffrail.run", Message().text(1, "00000000000000ab")))
        record = record.message(6, Self.attribute("taffrail.seq", Message().number(3, 41)))
        record = record.message(6, Self.attribute("minus", Message().number(3, .max)))
        record = record.message(6, Self.attribute("b", Message().number(2, 1)))
        record = record.message(6, Self.attribute("d", Message().fixed64(4, 1.5.bitPattern)))
        record = record.message(6, Self.attribute("bytes", Message().data(7, [0, 255])))
        let list = Message().message(1, Message().number(3, 1)).message(1, Message().text(1, "x"))
        record = record.message(6, Self.attribute("list", Message().message(5, list)))
        let map = Message().message(1, Self.attribute("k", Message().number(3, 2)))
        record = record.message(6, Self.attribute("map", Message().message(6, map)))
        record = record.number(99, 1).fixed32(98, 1).fixed64(97, 1).text(96, "new").text(2, "of another type")
        let records = try read(.otlp, Self.request(record, Message()))
        try #require(records.count == 2)
        let found = records[0]
        #expect(found.level == .error && found.message == "hello" && found.logger == "net.http")
        #expect(found.eventName == "docked" && found["taffrail.origin.severity"] == nil)
        #expect(found.trace?.traceID.description == "0102030405060708090a0b0c0d0e0f10")
        #expect(found.trace?.flags == .sampled)
        #expect(found["taffrail.origin.time"] == .date(Timestamp(nanoseconds: 1_767_623_400_123_456_789)))
        #expect(found["taffrail.origin.run"] == "00000000000000ab" && found["taffrail.origin.seq"] == 41)
        #expect(found["minus"] == -1 && found["b"] == .bool(true) && found["d"] == .double(1.5))
        #expect(found["bytes"] == .bytes([0, 255]) && found["list"] == [1, "x"] && found["map"] == ["k": 2])
        #expect(found["service.name"] == "ferry")
        #expect(records[1].message == "" && records[1].logger == "net.http")
        #expect(try read(.otlp, []).isEmpty)
    }

    @Test func `every prefix of a request, and every byte changed, is read or refused`() throws {
        let whole = Self.request(
            Message().fixed64(1, 1).message(5, Message().text(1, "hello")).message(
                6, Self.attribute("k", Message().message(5, Message().message(1, Message().number(3, 1))))))
        for length in 0..<whole.count { _ = problem(.otlp, Array(whole[..<length])) }
        for index in whole.indices {
            for byte in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
                var changed = whole
                changed[index] = byte
                _ = problem(.otlp, changed)
            }
        }
        let json = Array(Self.request.utf8)
        for length in stride(from: 0, to: json.count, by: 7) {
            #expect(problem(.otlpJSON, Array(json[..<length]))?.status == 400)
        }
    }

    @Test func `a position has the device of its resource, and what has determined it`() throws {
        let position = Message().text(12, "geo.location").message(
            6, Self.attribute("taffrail.geo.device", Message().text(1, "/dev/ttyACM0")))
        let scope = Message().message(2, position)
        let resource = Message().message(1, Self.attribute("host.name", Message().text(1, "ferry")))
        let body = Message().message(1, Message().message(2, scope).message(1, resource)).bytes
        let record = try #require(try read(.otlp, body).first)
        #expect(record["taffrail.geo.device"] == "ferry" && record["taffrail.origin.device"] == "ferry")
        #expect(record["taffrail.origin.receiver"] == "/dev/ttyACM0")
        let owned = try #require(
            try ReceivedBody.otlp.read(body, Arrival(time: arrival.time, device: "mine")).records.first)
        #expect(owned["taffrail.geo.device"] == "mine" && owned["taffrail.origin.device"] == "mine")
    }

    @Test func `deep nesting is refused`() {
        var value = Message().text(1, "x")
        for _ in 0..<40 { value = Message().message(5, Message().message(1, value)) }
        #expect(problem(.otlp, Self.request(Message().message(5, value)))?.status == 400)
        let deep = String(repeating: #"{"arrayValue":{"values":["#, count: 50_000)
        #expect(
            problem(.otlpJSON, Array(#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":\#(deep)"#.utf8))?.status
                == 400)
    }

    @Test func `a body with very many values is refused`() {
        let records = [UInt8](Array(repeating: [UInt8(0x12), 0], count: 600_000).joined())
        let body = Message().message(1, Message().data(2, records)).bytes
        #expect(problem(.otlp, body)?.status == 413)
        let pairs = [UInt8](Array(repeating: [UInt8(0x32), 0], count: 600_000).joined())
        #expect(problem(.otlp, Self.request(Message(bytes: pairs)))?.status == 413)
        let pairsInJSON =
            "{\"resourceLogs\":[{\"resource\":{\"attributes\":[{}\(String(repeating: ",{}", count: 600_000))]}}]}"
        #expect(problem(.otlpJSON, Array(pairsInJSON.utf8))?.status == 413)
        #expect(problem(.lines, Array(String(repeating: "\n", count: 8 << 20).utf8)) == nil)
        #expect(problem(.lines, Array(String(repeating: "{}\n", count: 600_000).utf8))?.status == 413)
        #expect(problem(.lines, Array("{\"a\":[0\(String(repeating: ",0", count: 600_000))]}".utf8))?.status == 413)
    }

    @Test func `attributes of a resource count for each record that gets them`() {
        let resource = (0..<1_000).map { "{\"key\":\"k\($0)\",\"value\":{\"intValue\":1}}" }.joined(separator: ",")
        func body(_ records: Int) -> [UInt8] {
            let records = Array(repeating: "{}", count: records).joined(separator: ",")
            return Array(
                "{\"resourceLogs\":[{\"resource\":{\"attributes\":[\(resource)]},\"scopeLogs\":[{\"logRecords\":[\(records)]}]}]}"
                    .utf8)
        }
        #expect(problem(.otlpJSON, body(900)) == nil)
        #expect(problem(.otlpJSON, body(1_001))?.status == 413)
    }

    @Test func `a record keeps at most 1,024 attributes, and how many it has lost`() throws {
        let pairs = (0..<1_500).map { "\"k\($0)\":1" }.joined(separator: ",")
        let line = "{\"message\":\"m\",\"time\":\"2026-01-05T14:30:00Z\",\(pairs)}"
        let lines = try ReceivedBody.lines.read(Array("\(line)\n{}".utf8), arrival)
        let list = (0..<1_500).map { "{\"key\":\"k\($0)\"}" }.joined(separator: ",")
        let otlp = try ReceivedBody.otlpJSON.read(
            Array(
                "{\"resourceLogs\":[{\"resource\":{\"attributes\":[{\"key\":\"r\"}]},\"scopeLogs\":[{\"logRecords\":[{\"attributes\":[\(list)]},{}]}]}]}"
                    .utf8), arrival)
        for (received, lost) in [(lines, 476), (otlp, 477)] {
            try #require(received.records.count == 2)
            #expect(received.truncated == 1)
            let record = received.records[0]
            #expect(record["taffrail.origin.dropped_attributes"] == LogValue(UInt64(lost)))
            #expect(record.attributes.count { $0.key.hasPrefix("k") } == 1_024)
            #expect(record["k1023"] != nil && record["k1024"] == nil)
            #expect(received.records[1]["taffrail.origin.dropped_attributes"] == nil)
        }
    }

    @Test func `a line that is nested deeper than a record can be is refused`() throws {
        func line(_ depth: Int) -> [UInt8] {
            Array(
                "{\"a\":\(String(repeating: "[", count: depth))1\(String(repeating: "]", count: depth))}".utf8)
        }
        #expect(problem(.lines, line(33))?.detail == "line 1 is nested deeper than 32 levels")
        #expect(problem(.lines, line(32)) == nil)
    }

    @Test func `what is decoded takes from the memory of all requests, and is given back`() throws {
        let budget = MemoryBudget(1 << 20)
        let body = Array(String(repeating: "{}\n", count: 10_000).utf8)
        func status(_ form: ReceivedBody, _ body: [UInt8]) -> Int {
            do throws(Problem) {
                _ = try form.read(body, Arrival(time: arrival.time, memory: MemoryShare(of: budget)))
                return 200
            } catch {
                return error.status
            }
        }
        #expect(status(.lines, Array(body[..<3_000])) == 200)
        // More than all requests may have: to send it again would be of no use.
        #expect(status(.lines, body) == 413)
        let records = Message().data(2, [UInt8](Array(repeating: [UInt8(0x12), 0], count: 10_000).joined()))
        #expect(status(.otlp, Message().message(1, records).bytes) == 413)
        #expect(budget.take(1 << 20))
        #expect(status(.lines, Array("{}".utf8)) == 503)
        budget.give(1 << 20)
        #expect(status(.lines, Array(body[..<3_000])) == 200)
    }

    @Test(arguments: [
        (0, "", Level.info), (0, "error", .error), (1, "", .trace), (8, "", .debug), (9, "", .info), (10, "", .notice),
        (13, "", .warning), (16, "", .warning), (17, "", .error), (18, "", .critical), (24, "", .critical),
        (-1, "", .info),
        (1_000, "", .critical),
    ])
    func `severities become levels`(number: Int64, text: String, level: Level) throws {
        var record = OTLPRecord()
        record.severity = number
        record.severityText = text
        #expect(record.record(logger: "", [], arrival).record.level == level)
    }

    @Test func `times that do not exist are left out`() {
        var record = OTLPRecord()
        record.time = .max
        #expect(record.record(logger: "", [], arrival).record["taffrail.origin.time"] == nil)
    }
}
