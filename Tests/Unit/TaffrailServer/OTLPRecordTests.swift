import Taffrail
import Testing

@testable import TaffrailServer

/// What a record of OTLP keeps, in either encoding.
@Suite struct OTLPRecordTests {
    private static func read(_ form: ReceivedBody, _ body: [UInt8]) throws -> LogRecord {
        try #require(try form.read(body, DialectTests.arrival).records.first)
    }

    @Test func `OTLP keeps a trace without a span`() throws {
        let trace = "0102030405060708090a0b0c0d0e0f10"
        let json = "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"traceId\":\"\(trace)\"}]}]}]}"
        let binary = LogBodyTests.request(LogBodyTests.Message().data(9, (0..<16).map { UInt8($0 + 1) }))
        for (form, body) in [(ReceivedBody.otlpJSON, Array(json.utf8)), (.otlp, binary)] {
            let found = try #require(try Self.read(form, body).trace)
            #expect(found.traceID.description == trace && found.spanID == TraceContext.SpanID(0))
        }
    }

    @Test func `OTLP keeps attributes whose names differ only in their bytes`() throws {
        let names = ["caf\u{E9}", "cafe\u{301}", "cafe\u{301}"]
        func attributes(_ name: String) -> String {
            "\"attributes\":[{\"key\":\"\(name)\",\"value\":{\"intValue\":1}}]"
        }
        // The names of the attributes of the resource, the scope and the record.
        for (order, count) in [([0, 1, 2], 2), ([1, 2, 0], 2), ([1, 2, 2], 1)] {
            let own = order.map { attributes(names[$0]) }
            let body = """
                {"resourceLogs":[{"resource":{\(own[0])},"scopeLogs":[{"scope":{\(own[1])},"logRecords":[{\(own[2])}]}]}]}
                """
            let record = try Self.read(.otlpJSON, Array(body.utf8))
            #expect(record.attributes.count { $0.key.utf8.starts(with: "caf".utf8) } == count, "\(order)")
        }
    }
}
