#if HTTP
import Foundation
import SwiftProtobuf
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

@Suite(.mayBlock) struct OTLPTests {
    /// Python with the package opentelemetry-proto, made by `.ci/otlp-tools`; `nil` where that was not possible.
    static let python: String? = {
        let path = Repository.root.appending(path: ".build-otlp/bin/python3").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    static let record = LogRecord(
        timestamp: Timestamp(nanoseconds: 1_767_623_400_123_456_789), sequence: 42, run: RingID(0xABCD), level: .notice,
        message: "left \"pier\" 4\n⚓️", eventName: "geo.location",
        attributes: [
            LogValueEntry("text", "a\\b"), LogValueEntry("number", .int(-7)), LogValueEntry("large", .int(.max)),
            LogValueEntry("real", 2.5), LogValueEntry("infinite", .double(.infinity)), LogValueEntry("flag", true),
            LogValueEntry("bytes", .bytes([0, 255])), LogValueEntry("list", [1, "x", [true]]),
            LogValueEntry("map", ["a": 1, "b": ["c": "d"]]),
            LogValueEntry("date", .date(Timestamp(nanoseconds: 1_767_623_400_000_000_000))),
        ], logger: "net.http", source: LogRecord.SourceLocation(file: "Ferry/Pier.swift", function: "leave()", line: 7),
        trace: TraceContext(
            traceID: TraceContext.TraceID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10),
            spanID: TraceContext.SpanID(0x1112_1314_1516_1718), flags: .sampled))

    static func part(_ records: [LogRecord]) -> SpoolBatch {
        var buffer = RecordBuffer(run: RingID(0xABCD))
        for record in records { buffer.append(record) }
        var part = SpoolBatch()
        part.run = RingID(0xABCD)
        part.bytes = buffer.bytes
        part.count = records.count
        return part
    }

    static let resource = ResourceAttributes(
        program: "ferry", host: "deck", device: "car7", own: ["deployment.environment.name": "sea"])

    private static var plain: LogRecord {
        LogRecord(timestamp: Timestamp(nanoseconds: 1), sequence: 43, level: .critical, message: "")
    }

    /// What a decoder that is not ours finds in a body.
    private static func decoded(_ body: [UInt8], isJSON: Bool, by python: String) throws -> [String: Any] {
        let folder = TemporaryDirectory()
        try folder.write(body, to: "body")
        let script = """
            import sys, json
            from google.protobuf import json_format
            from opentelemetry.proto.collector.logs.v1 import logs_service_pb2
            data = open(sys.argv[1], "rb").read()
            request = logs_service_pb2.ExportLogsServiceRequest()
            if sys.argv[2] == "json":
                # OTLP has ids in hexadecimal, where protobuf's own JSON has base64.
                import base64
                tree = json.loads(data)
                for logs in tree["resourceLogs"]:
                    for scope in logs["scopeLogs"]:
                        for record in scope["logRecords"]:
                            for name in ("traceId", "spanId"):
                                if name in record:
                                    record[name] = base64.b64encode(bytes.fromhex(record[name])).decode()
                json_format.ParseDict(tree, request)
            else:
                request.ParseFromString(data)
            print(json_format.MessageToJson(request))
            """
        let result = try Program.run(["-c", script, folder.file("body"), isJSON ? "json" : "protobuf"], of: python)
        try #require(result.code == 0, "\(result.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test(
        .enabled(if: OTLPTests.python != nil, "run .ci/otlp-tools, which needs PyPI"), arguments: [false, true])
    func `a decoder that is not ours finds every field`(isJSON: Bool) throws {
        let python = try #require(Self.python)
        let encoding: any BatchEncoding = isJSON ? OTLPJSONEncoding() : OTLPEncoding()
        let body = try encoding.body(of: Self.part([Self.record, Self.plain, Self.record]), from: Self.resource)
        let tree = try Self.decoded(body, isJSON: isJSON, by: python)
        let logs = try #require((tree["resourceLogs"] as? [[String: Any]])?.first)
        func pairs(_ any: Any?) -> [String: String] {
            let list = any as? [[String: Any]] ?? []
            return Dictionary(
                list.map { pair in
                    let value = try? JSONSerialization.data(withJSONObject: pair["value"] ?? [:], options: .sortedKeys)
                    return (pair["key"] as? String ?? "", String(decoding: value ?? Data(), as: UTF8.self))
                }, uniquingKeysWith: { "\($0)\($1)" })
        }
        #expect(
            pairs((logs["resource"] as? [String: Any])?["attributes"]) == [
                "service.name": #"{"stringValue":"ferry"}"#, "host.name": #"{"stringValue":"deck"}"#,
                "device.id": #"{"stringValue":"car7"}"#,
                "deployment.environment.name": #"{"stringValue":"sea"}"#,
                "service.instance.id": #"{"stringValue":"000000000000abcd"}"#,
            ])
        let scopes = try #require(logs["scopeLogs"] as? [[String: Any]])
        #expect(
            scopes.map { ($0["scope"] as? [String: Any])?["name"] as? String ?? "" } == ["net.http", "", "net.http"])
        let record = try #require((scopes[0]["logRecords"] as? [[String: Any]])?.first)
        #expect(record["timeUnixNano"] as? String == "1767623400123456789")
        #expect(record["severityNumber"] as? String == "SEVERITY_NUMBER_INFO2")
        #expect(record["severityText"] as? String == "notice")
        #expect((record["body"] as? [String: Any])?["stringValue"] as? String == "left \"pier\" 4\n⚓️")
        #expect(record["eventName"] as? String == "geo.location")
        #expect(record["traceId"] as? String == "AQIDBAUGBwgJCgsMDQ4PEA==")
        #expect(record["spanId"] as? String == "ERITFBUWFxg=")
        #expect(record["flags"] as? Int == 1)
        #expect(
            pairs(record["attributes"]) == [
                "text": #"{"stringValue":"a\\b"}"#, "number": #"{"intValue":"-7"}"#,
                "large": #"{"intValue":"9223372036854775807"}"#, "real": #"{"doubleValue":2.5}"#,
                "infinite": isJSON ? #"{"stringValue":"Infinity"}"# : #"{"doubleValue":"Infinity"}"#,
                "flag": #"{"boolValue":true}"#,
                "bytes": #"{"bytesValue":"AP8="}"#,
                "list":
                    #"{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"x"},{"arrayValue":{"values":[{"boolValue":true}]}}]}}"#,
                "map":
                    #"{"kvlistValue":{"values":[{"key":"a","value":{"intValue":"1"}},{"key":"b","value":{"kvlistValue":{"values":[{"key":"c","value":{"stringValue":"d"}}]}}}]}}"#,
                "date": #"{"stringValue":"2026-01-05T14:30:00.000000000Z"}"#,
                "taffrail.run": #"{"stringValue":"000000000000abcd"}"#, "taffrail.seq": #"{"intValue":"42"}"#,
                "event.name": #"{"stringValue":"geo.location"}"#,
                "code.file.path": #"{"stringValue":"Ferry\/Pier.swift"}"#,
                "code.function.name": #"{"stringValue":"leave()"}"#, "code.line.number": #"{"intValue":"7"}"#,
            ])
        let plain = try #require((scopes[1]["logRecords"] as? [[String: Any]])?.first)
        #expect(plain["severityNumber"] as? String == "SEVERITY_NUMBER_ERROR2")
        #expect(plain["eventName"] == nil && plain["traceId"] == nil)
    }

    @Test func `both encodings have the same contents`() throws {
        let part = Self.part([Self.record, Self.plain])
        let request = try Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest(
            serializedBytes: OTLPEncoding().body(of: part, from: Self.resource))
        let record = request.resourceLogs[0].scopeLogs[0].logRecords[0]
        #expect(record.attributes.count == 16 && record.severityNumber == .info2)
        let tree = try #require(
            try JSONSerialization.jsonObject(
                with: Data(try OTLPJSONEncoding().body(of: part, from: Self.resource))) as? [String: Any])
        let logs = (tree["resourceLogs"] as? [[String: Any]])?[0]["scopeLogs"] as? [[String: Any]]
        let first = (logs?[0]["logRecords"] as? [[String: Any]])?[0]
        #expect(
            (first?["attributes"] as? [[String: Any]])?.map { $0["key"] as? String } == record.attributes.map(\.key))
        #expect(first?["traceId"] as? String == "0102030405060708090a0b0c0d0e0f10")
    }

    /// Replaces the tilde of each `x~y` of a record with a byte that is not valid UTF-8, as no `String` contains one.
    private static func damageTexts(of part: inout SpoolBatch) {
        for index in part.bytes.indices where part.bytes[index...].starts(with: "x~y".utf8) {
            part.bytes[index + 1] = 0xFF
        }
        part.bytes.withUnsafeMutableBytes { record in
            let checksum = RecordLayout.checksum(of: UnsafeRawBufferPointer(record))
            record.storeBytes(of: checksum, toByteOffset: RecordLayout.checksum, as: UInt64.self)
        }
    }

    @Test func `a decoder finds every field in protobuf, also the unusual values`() throws {
        typealias Value = Opentelemetry_Proto_Common_V1_AnyValue.OneOf_Value
        typealias Pair = Opentelemetry_Proto_Common_V1_KeyValue
        func pairs(_ some: [(String, Value)]) -> [Pair] {
            some.map { key, value in
                .with {
                    $0.key = key
                    $0.value.value = value
                }
            }
        }
        func list(_ some: [Value]) -> Value {
            .arrayValue(.with { $0.values = some.map { value in .with { $0.value = value } } })
        }
        func map(_ some: [(String, Value)]) -> Value { .kvlistValue(.with { $0.values = pairs(some) }) }
        var record = Self.record
        record.timestamp = Timestamp(nanoseconds: -5)
        record.message = "ax~yb"
        record.source = LogRecord.SourceLocation(file: "Ferry/x~y.swift", function: "leave()", line: 4_000_000_000)
        record.attributes = [
            LogValueEntry("text", "x~y"), LogValueEntry("key x~y", "⚓️"), LogValueEntry("", "no key"),
            LogValueEntry("twice", "first"), LogValueEntry("twice", "second"), LogValueEntry("negative", .double(-0.0)),
            LogValueEntry("real", 2.5), LogValueEntry("infinite", .double(.infinity)),
            LogValueEntry("least", .int(.min)), LogValueEntry("zero", 0), LogValueEntry("no", false),
            LogValueEntry("yes", true), LogValueEntry("bytes", .bytes([0, 255])), LogValueEntry("no bytes", .bytes([])),
            LogValueEntry("nothing", ""), LogValueEntry("empty list", []), LogValueEntry("empty map", [:]),
            LogValueEntry("list", [1, "x~y", [false], [:]]),
            LogValueEntry("map", ["": 0, "twice": "first", "twice": ["x~y": ""]]),
            LogValueEntry("date", .date(Timestamp(nanoseconds: 1_767_623_400_000_000_000))),
        ]
        var part = Self.part([record])
        Self.damageTexts(of: &part)
        let more = Self.part([Self.record, Self.plain])
        part.bytes += more.bytes
        part.count += more.count
        let request = try Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest(
            serializedBytes: OTLPEncoding().body(of: part, from: Self.resource))
        try #require(request.resourceLogs.count == 1)
        #expect(
            request.resourceLogs[0].resource.attributes
                == pairs([
                    ("service.name", .stringValue("ferry")), ("host.name", .stringValue("deck")),
                    ("device.id", .stringValue("car7")), ("deployment.environment.name", .stringValue("sea")),
                    ("service.instance.id", .stringValue("000000000000abcd")),
                ]))
        let scopes = request.resourceLogs[0].scopeLogs
        #expect(scopes.map(\.scope.name) == ["net.http", ""])
        try #require(scopes.map(\.logRecords.count) == [2, 1])

        let first = scopes[0].logRecords[0]
        #expect(first.timeUnixNano == 0 && first.observedTimeUnixNano == 0)
        #expect(first.severityNumber == .info2 && first.severityText == "notice")
        #expect(first.body.value == .stringValue("ax\u{FFFD}yb"))
        #expect(first.eventName == "geo.location" && first.flags == 1)
        #expect(first.traceID == Data(1...16) && first.spanID == Data(0x11...0x18))
        let expected: [(String, Value)] = [
            ("text", .stringValue("x\u{FFFD}y")), ("key x\u{FFFD}y", .stringValue("⚓️")), ("", .stringValue("no key")),
            ("twice", .stringValue("first")), ("negative", .doubleValue(-0.0)), ("real", .doubleValue(2.5)),
            ("infinite", .doubleValue(.infinity)), ("least", .intValue(-9_223_372_036_854_775_808)),
            ("zero", .intValue(0)), ("no", .boolValue(false)), ("yes", .boolValue(true)),
            ("bytes", .bytesValue(Data([0, 255]))), ("no bytes", .bytesValue(Data())), ("nothing", .stringValue("")),
            ("empty list", list([])), ("empty map", map([])),
            ("list", list([.intValue(1), .stringValue("x\u{FFFD}y"), list([.boolValue(false)]), map([])])),
            (
                "map",
                map([
                    ("", .intValue(0)), ("twice", .stringValue("first")),
                    ("twice", map([("x\u{FFFD}y", .stringValue(""))])),
                ])
            ),
            ("date", .stringValue("2026-01-05T14:30:00.000000000Z")),
            ("taffrail.run", .stringValue("000000000000abcd")), ("taffrail.seq", .intValue(42)),
            ("event.name", .stringValue("geo.location")),
            ("code.file.path", .stringValue("Ferry/x\u{FFFD}y.swift")),
            ("code.function.name", .stringValue("leave()")), ("code.line.number", .intValue(4_000_000_000)),
        ]
        #expect(first.attributes.map(\.key) == expected.map(\.0))
        for (found, value) in zip(first.attributes, expected) {
            #expect(found.value.value == value.1, "\(value.0)")
        }
        let negative = first.attributes.first { $0.key == "negative" }
        #expect(negative?.value.doubleValue.sign == .minus)

        #expect(scopes[0].logRecords[1].timeUnixNano == 1_767_623_400_123_456_789)
        #expect(scopes[0].logRecords[1].observedTimeUnixNano == 1_767_623_400_123_456_789)
        let plain = scopes[1].logRecords[0]
        #expect(plain.timeUnixNano == 1 && plain.severityNumber == .error2 && plain.severityText == "critical")
        #expect(plain.body.value == .stringValue("") && plain.eventName.isEmpty && plain.flags == 0)
        #expect(plain.traceID.isEmpty && plain.spanID.isEmpty)
        #expect(
            plain.attributes
                == pairs([("taffrail.run", .stringValue("000000000000abcd")), ("taffrail.seq", .intValue(43))]))
    }

    @Test func `loggers whose names only look the same are two scopes`() throws {
        let names = ["caf\u{e9}", "cafe\u{301}"]
        let records = [names[0], names[0], names[1]].map { name in
            var record = Self.record
            record.logger = name
            return record
        }
        let part = Self.part(records)
        let request = try Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest(
            serializedBytes: OTLPEncoding().body(of: part, from: Self.resource))
        let scopes = request.resourceLogs[0].scopeLogs
        #expect(scopes.map { Array($0.scope.name.utf8) } == names.map { Array($0.utf8) })
        #expect(scopes.map(\.logRecords.count) == [2, 1])
        let tree = try #require(
            try JSONSerialization.jsonObject(
                with: Data(try OTLPJSONEncoding().body(of: part, from: Self.resource))) as? [String: Any])
        let logs = (tree["resourceLogs"] as? [[String: Any]])?[0]["scopeLogs"] as? [[String: Any]] ?? []
        let found = logs.map { ($0["scope"] as? [String: Any])?["name"] as? String ?? "" }
        #expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) })
        #expect(logs.map { ($0["logRecords"] as? [Any])?.count } == [2, 1])
    }

    @Test func `each byte is what swift-protobuf writes`() throws {
        var records = [Self.record, Self.plain, Self.plain, Self.record]
        // Lengths that take one, two and three bytes, of each kind of message.
        for length in [0, 1, 100, 118, 119, 120, 121, 125, 126, 127, 128, 129, 300, 16_000, 16_383, 16_384, 20_000] {
            var record = Self.record
            let text = String(repeating: "x", count: length)
            record.message = text
            record.logger = String(text.prefix(200))
            record.eventName = String(text.prefix(100)) + "é"
            record.attributes = [
                LogValueEntry("a", .string(text)), LogValueEntry("ö", .array([.string(text), [], [:]])),
                LogValueEntry("map", ["": .string(text), "nothing": ""]), LogValueEntry("bytes", .bytes([])),
                LogValueEntry(String(text.prefix(250)), .double(-0.0)), LogValueEntry("a", "its twin"),
                LogValueEntry("no", false), LogValueEntry("least", .int(.min)), LogValueEntry("zero", 0),
            ]
            record.source = LogRecord.SourceLocation(
                file: "Ferry/" + String(text.prefix(500)), function: String(text.prefix(129)), line: 4_000_000_000)
            records.append(record)
            record.timestamp = Timestamp(nanoseconds: -5)
            record.eventName = nil
            record.attributes = ["taffrail.run", "event.name", "code.file.path", "code.line.number"].map {
                LogValueEntry($0, "mine")
            }
            records.append(record)
        }
        for some in [[], [Self.plain], records] {
            let part = Self.part(some)
            let mine = try OTLPEncoding().body(of: part, from: Self.resource)
            #expect(try mine == OTLPReference.body(of: part, from: Self.resource), "\(some.count) records")
        }
    }

    @Test func `what is not valid UTF-8 is repaired, as receivers refuse it`() {
        var writer = ProtobufWriter(capacity: 0)
        ([0x61, 0xFF, 0x62] as [UInt8]).withUnsafeBytes { writer.add(1, utf8: $0) }
        #expect(writer.bytes == [0x0A, 5, 0x61, 0xEF, 0xBF, 0xBD, 0x62])
    }

    @Test func `an attribute of the program has no twin`() throws {
        var record = Self.record
        record.attributes = ["taffrail.seq", "event.name", "code.line.number"].map { LogValueEntry($0, "mine") }
        let request = try Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest(
            serializedBytes: OTLPEncoding().body(of: Self.part([record]), from: Self.resource))
        let attributes = request.resourceLogs[0].scopeLogs[0].logRecords[0].attributes
        #expect(Set(attributes.map(\.key)).count == attributes.count)
        #expect(attributes.first { $0.key == "taffrail.seq" }?.value.intValue == 42)
        #expect(attributes.first { $0.key == "event.name" }?.value.stringValue == "mine")
    }

    @Test func `a partial success is found in both encodings, and nonsense confirms nothing`() throws {
        var response = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceResponse()
        response.partialSuccess.rejectedLogRecords = 3
        response.partialSuccess.errorMessage = "no"
        let bytes: [UInt8] = try response.serializedBytes()
        #expect(OTLPEncoding().verdict(200, bytes) == ResponseMeaning(.accepted(refused: 3), "no"))
        #expect(OTLPEncoding().verdict(200, []) == ResponseMeaning(.accepted(refused: 0)))
        #expect(OTLPEncoding().verdict(200, Array("{}".utf8)) == ResponseMeaning(.accepted(refused: 0)))
        // A partial success after fields of later versions: 3, 4 and 5.
        let later = [0x18, 0x96, 0x01, 0x25, 1, 2, 3, 4, 0x2A, 1, 0x61] + bytes
        #expect(OTLPEncoding().verdict(200, later) == ResponseMeaning(.accepted(refused: 3), "no"))
        // An empty partial success, and a negative number.
        #expect(OTLPEncoding().verdict(200, [0x0A, 0]).kind == .accepted(refused: 0))
        response.partialSuccess.rejectedLogRecords = -1
        #expect(try OTLPEncoding().verdict(200, response.serializedBytes()).kind == .accepted(refused: 0))
        // Cut, a length beyond the end, field 0, a group, and a number of eleven bytes.
        let long = [0x08] + [UInt8](repeating: 0xFF, count: 10) + [1]
        for body in [Array(bytes.dropLast()), [0x0A, 5, 1], [0, 1], [0x0B, 0x0C], [0x0A, 12] + long, long] {
            #expect(OTLPEncoding().verdict(200, body).kind == .later, "\(body)")
        }
        for body in [[0xFF, 0xFF], Array("<html>".utf8)] {
            #expect(OTLPEncoding().verdict(200, body).kind == .later)
        }
        let json = OTLPJSONEncoding()
        #expect(
            json.verdict(200, Array(#"{"partialSuccess":{"rejectedLogRecords":3,"errorMessage":"no"}}"#.utf8))
                == ResponseMeaning(.accepted(refused: 3), "no"))
        for body in ["", "{}", "{\"partialSuccess\":null}"] {
            #expect(json.verdict(200, Array(body.utf8)) == ResponseMeaning(.accepted(refused: 0)))
        }
        for body in ["<html>", "ok", "[]", "{"] { #expect(json.verdict(200, Array(body.utf8)).kind == .later) }
        for encoding in [json, OTLPEncoding()] as [any BatchEncoding] {
            for status in [200, 202, 204] { #expect(encoding.verdict(status, []).kind == .accepted(refused: 0)) }
            for status in [400, 422] { #expect(encoding.verdict(status, []).kind == .refused) }
            for status in [260, 429, 500, 502, 503, 504, 520] { #expect(encoding.verdict(status, []).kind == .later) }
        }
        #expect(LinesEncoding().verdict(500, []).kind == .later && LinesEncoding().verdict(260, []).kind == .later)
    }
}
#endif
