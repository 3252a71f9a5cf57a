#if HTTP
import Foundation
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailHTTPRemote

/// The encodings whose servers are not at hand, by what their documentation shows.
@Suite struct StoreEncodingTests {
    private static let record = LogRecord(
        timestamp: Timestamp(nanoseconds: 1_767_623_400_123_456_789), sequence: 42, run: RingID(0xABCD),
        level: .warning,
        message: "left \"pier\" 4", eventName: "ship.left", attributes: [LogValueEntry("pier.no", 4)],
        logger: "net.http",
        source: LogRecord.SourceLocation(file: "Ferry/Pier.swift", function: "leave()", line: 7),
        trace: OTLPTests.record.trace)

    private static let plain = LogRecord(timestamp: Timestamp(nanoseconds: 1), sequence: 43, level: .info, message: "x")

    private static func text(_ encoding: any BatchEncoding) throws -> String {
        String(
            decoding: try encoding.body(of: OTLPTests.part([record, plain]), from: OTLPTests.resource), as: UTF8.self)
    }

    @Test func `Loki gets one stream, and what varies as structured metadata`() throws {
        #expect(
            try Self.text(LokiEncoding())
                == [
                    #"{"streams":[{"stream":{"service_name":"ferry","host_name":"deck","device_id":"car7","deployment_environment_name":"sea"},"#,
                    #""values":[["1767623400123456789","left \"pier\" 4",{"level":"warning","logger":"net.http","#,
                    #""trace_id":"0102030405060708090a0b0c0d0e0f10","span_id":"1112131415161718","pier_no":"4","#,
                    #""taffrail_run":"000000000000abcd","taffrail_seq":"42","event_name":"ship.left","#,
                    #""code_file_path":"Ferry/Pier.swift","code_function_name":"leave()","code_line_number":"7"}],"#,
                    #"["1","x",{"level":"info","taffrail_run":"000000000000abcd","taffrail_seq":"43"}]]}]}"#,
                ].joined())
        #expect(LokiEncoding.name("9a-ä") == "_9a___" && LokiEncoding.name("") == "_")
        let statuses = [204, 200, 260, 400, 401, 429, 500, 503].map { LokiEncoding().verdict($0, []).kind }
        #expect(statuses == [.accepted(refused: 0), .later, .later, .refused, .denied, .later, .later, .later])
    }

    @Test func `Loki gets every attribute, also when names are the same there`() throws {
        func metadata(
            _ attributes: [LogValueEntry], logger: String = "", event: String? = nil
        ) throws -> [String: String] {
            let record = LogRecord(
                timestamp: Timestamp(nanoseconds: 1), sequence: 43, level: .info, message: "x", eventName: event,
                attributes: attributes, logger: logger)
            let body = try LokiEncoding().body(of: OTLPTests.part([record]), from: OTLPTests.resource)
            let push = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            let values = (push?["streams"] as? [[String: Any]])?.first?["values"] as? [[Any]]
            return try #require(values?.first?.last as? [String: String])
        }
        var fields = try metadata([LogValueEntry("logger", "pump"), LogValueEntry("trace_id", "7")])
        #expect(fields["logger"] == "pump" && fields["trace_id"] == "7" && fields.count == 5)
        fields = try metadata(
            [LogValueEntry("logger", "pump"), LogValueEntry("level", "high"), LogValueEntry("taffrail_run", 1)],
            logger: "net")
        #expect(fields["logger"] == "net" && fields["logger_2"] == "pump")
        #expect(fields["level"] == "info" && fields["level_2"] == "high")
        #expect(fields["taffrail_run_2"] == "1" && fields["taffrail_run"] == "\(OTLPTests.part([]).run)")
        fields = try metadata(
            [
                LogValueEntry("user.id", 1), LogValueEntry("user_id", 2), LogValueEntry("user-id", 3),
                LogValueEntry("event_name", "own"),
            ], event: "ship.left")
        #expect(fields["user_id"] == "1" && fields["user_id_2"] == "2" && fields["user_id_3"] == "3")
        #expect(fields["event_name"] == "own" && fields["event_name_2"] == "ship.left")
    }

    @Test func `Elasticsearch gets documents with an id each, and answers item by item`() throws {
        let lines = try Self.text(ElasticsearchEncoding()).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0] == #"{"create":{"_id":"000000000000abcd-42"}}"#)
        #expect(
            lines[1]
                == [
                    #"{"@timestamp":"2026-01-05T14:30:00.123456789Z","message":"left \"pier\" 4","log.level":"warning","#,
                    #""log.logger":"net.http","log.origin.file.name":"Ferry/Pier.swift","log.origin.file.line":7,"#,
                    #""log.origin.function":"leave()","event.action":"ship.left","trace.id":"0102030405060708090a0b0c0d0e0f10","#,
                    #""span.id":"1112131415161718","service.name":"ferry","host.name":"deck","device.id":"car7","deployment.environment.name":"sea","#,
                    #""service.instance.id":"000000000000abcd","taffrail.run":"000000000000abcd","taffrail.seq":42,"#,
                    #""attributes":{"pier.no":4}}"#,
                ].joined())
        func kind(_ items: String) -> ResponseMeaning.Kind {
            ElasticsearchEncoding().verdict(200, Array(#"{"took":1,"errors":true,"items":[\#(items)]}"#.utf8)).kind
        }
        let (made, known) = (#"{"create":{"status":201}}"#, #"{"create":{"status":409}}"#)
        let bad = #"{"create":{"status":400,"error":{"type":"mapper_parsing_exception"}}}"#
        #expect(kind("\(made),\(known)") == .accepted(refused: 0))
        #expect(kind("\(made),\(bad),\(bad)") == .accepted(refused: 2))
        let answer = ElasticsearchEncoding().verdict(200, Array(#"{"items":[\#(made),\#(bad),\#(made),\#(bad)]}"#.utf8))
        #expect(answer.count == 4 && answer.refused == [1, 3] && answer.message.contains("mapper_parsing_exception"))
        #expect(ElasticsearchEncoding().verdict(200, Array(#"{"items":[]}"#.utf8)).count == 0)
        for status in [401, 403, 404] {
            #expect(kind("\(made),\(#"{"create":{"status":\#(status)}}"#)") == .denied)
        }
        #expect(kind("\(made),\(bad),\(#"{"create":{"status":429}}"#)") == .later)
        #expect(kind("{}") == .later && ElasticsearchEncoding().verdict(200, []).kind == .later)
        #expect(ElasticsearchEncoding().verdict(503, []).kind == .later)
        #expect(ElasticsearchEncoding().verdict(400, []).kind == .refused)
    }

    @Test func `ClickHouse gets the columns of OpenTelemetry's exporter`() throws {
        let lines = try Self.text(ClickHouseEncoding()).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines[0]
                == [
                    #"{"Timestamp":"2026-01-05 14:30:00.123456789","SeverityText":"warning","SeverityNumber":13,"ServiceName":"ferry","#,
                    #""Body":"left \"pier\" 4","ScopeName":"net.http","EventName":"ship.left","#,
                    #""TraceId":"0102030405060708090a0b0c0d0e0f10","SpanId":"1112131415161718","TraceFlags":1,"#,
                    #""ResourceAttributes":{"service.name":"ferry","host.name":"deck","device.id":"car7","deployment.environment.name":"sea","#,
                    #""service.instance.id":"000000000000abcd"},"LogAttributes":{"pier.no":"4","taffrail.run":"000000000000abcd","#,
                    #""taffrail.seq":"42","event.name":"ship.left","code.file.path":"Ferry/Pier.swift","#,
                    #""code.function.name":"leave()","code.line.number":"7"}}"#,
                ].joined())
        #expect(ClickHouseEncoding().verdict(200, []).kind == .accepted(refused: 0))
        // The insert has failed after the head of the answer was sent.
        let failure = "Code: 241. DB::Exception: Memory limit (total) exceeded. (MEMORY_LIMIT_EXCEEDED)"
        #expect(ClickHouseEncoding().verdict(200, Array(failure.utf8)).kind == .later)
        #expect(ClickHouseEncoding().verdict(500, []).kind == .later)
        #expect(ClickHouseEncoding().verdict(404, []).kind == .denied)
    }

    @Test func `a journal gets entries in its export format`() throws {
        let text = try Self.text(JournalEncoding())
        #expect(
            text.hasPrefix(
                "__REALTIME_TIMESTAMP=1767623400123456\n__MONOTONIC_TIMESTAMP=1767623400123456\n"
                    + "_BOOT_ID=000000000000abcd000000000000abcd\n_HOSTNAME=deck\nMESSAGE=left \"pier\" 4\nPRIORITY=4\n"
            ))
        #expect(
            text.components(separatedBy: "\n\n").count == 3 && text.hasSuffix("DEPLOYMENT_ENVIRONMENT_NAME=sea\n\n"))
        #expect(text.contains("\nDEVICE_ID=car7\n") && !text.contains("SERVICE_INSTANCE_ID"))
        #expect(JournalEncoding.boot(of: .none) != String(repeating: "0", count: 32))
        #expect(JournalEncoding.microseconds(Timestamp(nanoseconds: -1)) == 1)
        let statuses = [202, 200, 201, 413, 417, 500, 503].map { JournalEncoding().verdict($0, []).kind }
        #expect(
            statuses == [.accepted(refused: 0), .accepted(refused: 0), .later, .tooLarge, .refused, .later, .later])
        // A full disk has the same status as an entry that cannot be stored.
        for (text, kind) in [
            ("Processing failed: No space left on device.", ResponseMeaning.Kind.later),
            ("Processing failed: Bad message", .refused),
        ] { #expect(JournalEncoding().verdict(422, Array(text.utf8)).kind == kind) }
    }
}
#endif
