#if HTTP
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailClickHouse

/// The answers of ClickHouse, by its own engine.
@Suite(.mayBlock, .enabled(if: ClickHouseEngine.python != nil, "\(ClickHouseEngine.hint)"))
struct ClickHouseQueryTests {
    @Test(arguments: ClickHouseSubject.Schema.allCases)
    func `ClickHouse keeps every rule of queries`(schema: ClickHouseSubject.Schema) throws {
        // One for all rules: its start takes as long as some of them.
        let folder = TemporaryDirectory()
        let engine = try ClickHouseEngine(in: folder)
        defer { engine.stop() }
        for (number, rule) in LogQueryRule.all.enumerated() {
            let subject = try ClickHouseSubject(engine, table: "rule_\(number)", schema)
            do { try rule.check(subject) } catch { Issue.record("\(rule): \(error)") }
        }
    }

    @Test func `rows of other senders are records, and what they repeat is one`() throws {
        let folder = TemporaryDirectory()
        let engine = try ClickHouseEngine(in: folder)
        defer { engine.stop() }
        let subject = try ClickHouseSubject(engine, table: "others")
        let row = #"{"Timestamp":"2026-01-05 14:30:00.5","SeverityNumber":14,"SeverityText":"WARN","Body":"disk full","#
        let resource = #""ResourceAttributes":{"host.name":"pier","service.name":"cron"},"#
        let rows = [
            row + resource + #""LogAttributes":{"event.name":"disk","status":"5e2"}}"#,
            row + resource + #""LogAttributes":{"event.name":"disk","status":"5e2"}}"#,
            row + resource + #""ScopeAttributes":{"unit":"a"},"LogAttributes":{"status":"x"}}"#,
            // Relayed by a program with Taffrail.
            #"{"Timestamp":"2026-01-05 14:30:01","SeverityText":"err","Body":"relayed","ResourceAttributes":{"device.id":"relay"},"#
                + #""LogAttributes":{"taffrail.run":"00000000000000bb","taffrail.seq":"9","taffrail.origin.run":"00000000000000aa","#
                + #""taffrail.origin.seq":"3","taffrail.origin.device":"tender"}}"#,
        ]
        try subject.execute("INSERT INTO others FORMAT JSONEachRow\n" + rows.joined(separator: "\n"))
        func found(_ text: String) throws -> [StoredRecord] {
            var request = RecordRequest(try LogSelection(parsing: text))
            request.isNewestFirst = false
            return try subject.store.records(request).records
        }
        let all = try found("")
        #expect(all.count == 3)
        #expect(all.prefix(2).allSatisfy { $0.level == .warning && $0.device == "pier" && $0.sequence == nil })
        let last = try #require(all.last)
        #expect(last.level == .error && last.device == "tender" && last.run == "00000000000000aa" && last.sequence == 3)
        #expect(last.attributes.map(\.key) == ["device.id"])
        #expect(try found("event:disk status>=500 service.name=cron").count == 1)
        #expect(try found("unit=a").map(\.eventName) == [nil])
        #expect(try found("run:00000000000000bb").isEmpty)
        #expect(try found("device:tender run:00000000000000aa") == [last])
        #expect(try subject.store.devices().map(\.name) == ["pier", "tender"])
    }

    @Test func `a row with a trace and no span is a record of the trace`() throws {
        let folder = TemporaryDirectory()
        let engine = try ClickHouseEngine(in: folder)
        defer { engine.stop() }
        let subject = try ClickHouseSubject(engine, table: "traces")
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let rows = ["", "00f067aa0ba902b7", "no span"].enumerated().map { number, span in
            #"{"Timestamp":"2026-01-05 14:30:0\#(number)","Body":"\#(number)","TraceId":"\#(trace)","SpanId":"\#(span)"}"#
        }
        try subject.execute("INSERT INTO traces FORMAT JSONEachRow\n" + rows.joined(separator: "\n"))
        func found(_ text: String) throws -> [String] {
            try subject.store.records(RecordRequest(try LogSelection(parsing: text))).records.map(\.message)
        }
        let all = try subject.store.records(RecordRequest()).records
        #expect(all.map { $0.trace?.spanID.description } == [nil, "00f067aa0ba902b7", "0000000000000000"])
        #expect(try found("trace:\(trace)") == ["1", "0"])
        #expect(try found("span:00f067aa0ba902b7") == ["1"] && found("span:0000000000000000") == ["0"])
    }

    @Test func `text that could be SQL is only text`() throws {
        let folder = TemporaryDirectory()
        let engine = try ClickHouseEngine(in: folder)
        defer { engine.stop() }
        let subject = try ClickHouseSubject(engine, table: "texts")
        let texts = [
            "' OR 1=1 --", "\\'; DROP TABLE texts", "{a:String}", "`x`", "\"y\"", "\u{0}\u{1}\n", "%s ?", "Ærø 日本",
        ]
        var records = RecordPool.records(texts.count, seed: 1)
        for (index, text) in texts.enumerated() {
            (records[index].message, records[index].logger, records[index].eventName) = (text, text, text)
            records[index].attributes = [LogValueEntry(text, .string(text))]
        }
        try subject.save(records)
        for (index, text) in texts.enumerated() {
            let tests: [LogTest] = [
                .message(text), .exactLogger([text]), .event([LogName(text)]), .attribute(text, .exists),
                .attribute(text, .equals([LogLiteral(text, isQuoted: true)])), .attribute(text, .contains(text)),
            ]
            for test in tests {
                let page = try subject.store.records(RecordRequest(LogSelection([LogCondition(test)])))
                #expect(page.records.map(\.sequence) == [records[index].sequence], "\(test)")
            }
            #expect(try subject.store.values(ValuesRequest("@" + text)).values.map(\.value) == [.string(text)])
        }
    }

    @Test func `a query that takes too long ends with its budget, and one that is not needed any more at once`() throws
    {
        let folder = TemporaryDirectory()
        let engine = try ClickHouseEngine(in: folder)
        defer { engine.stop() }
        let subject = try ClickHouseSubject(engine, table: "slow")
        // A table that never ends, with the columns of the other.
        try subject.execute(
            """
            CREATE VIEW endless AS SELECT toDateTime64(number % 1000000000, 9) AS Timestamp, '' AS TraceId, '' AS SpanId, \
            '' AS SeverityText, toUInt8(9) AS SeverityNumber, toString(number) AS Body, '' AS ScopeName, \
            map('a', '') AS ResourceAttributes, map('b', '') AS LogAttributes FROM system.numbers
            """)
        let store = try ClickHouseStore(
            ClickHouseAddress(parsing: "clickhouse://127.0.0.1:\(engine.port)/default?table=endless"))
        func kind(_ budget: QueryBudget) -> LogQueryError.Kind? {
            budget.run {
                do throws(LogQueryError) {
                    _ = try store.values(ValuesRequest("logger"))
                    return nil
                } catch { return error.kind }
            }
        }
        #expect(kind(QueryBudget(.milliseconds(300))) == .tooLong)
        let cancelled = QueryBudget(.seconds(60))
        cancelled.cancel()
        #expect(kind(cancelled) == .tooLong)
    }

    @Test func `what is no table of OpenTelemetry's, and a wrong password, are reported without the password`() throws {
        let folder = TemporaryDirectory()
        let engine = try ClickHouseEngine(
            in: folder, environment: ["CLICKHOUSE_USER": "reader", "CLICKHOUSE_PASSWORD": "open sesame"])
        func problem(_ user: String, _ rest: String) throws -> LogQueryError? {
            let address = "clickhouse://\(user)127.0.0.1:\(engine.port)/\(rest)"
            let store = try ClickHouseStore(try ClickHouseAddress(parsing: address))
            do throws(LogQueryError) {
                try store.check()
                return nil
            } catch { return error }
        }
        #expect(try problem("reader:open%20sesame@", "default") == nil)
        try folder.write("open sesame\n", to: "password")
        #expect(try problem("reader@", "default?password_file=\(folder.file("password"))") == nil)
        let wrong = try #require(try problem("reader:swordfish@", "default"))
        #expect(wrong.kind == .unreadable && !wrong.reason.contains("swordfish"), "\(wrong)")
        #expect(wrong.reason.contains("clickhouse://127.0.0.1:\(engine.port)/default"))
        for rest in ["default?table=missing", "missing"] {
            let error = try #require(try problem("reader:open%20sesame@", rest))
            #expect(error.kind == .unreadable && error.reason.contains("does not exist"), "\(error)")
        }
        let other = try #require(try problem("reader:open%20sesame@", "system?table=one"))
        #expect(other.reason.contains("has no column Body"), "\(other)")
        engine.stop()
        let away = try #require(try problem("reader:open%20sesame@", "default"))
        #expect(away.kind == .unavailable && !away.reason.contains("sesame"), "\(away)")
    }
}
#endif
