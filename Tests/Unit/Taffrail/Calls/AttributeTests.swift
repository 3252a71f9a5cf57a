import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The attributes of a record, their sources and their order.
@Suite(.mayBlock) struct AttributeTests {
    private let log = MemoryLog()
    private var logger: Logger { log.logger }

    /// In code that knows only that it is an integer.
    private func value(_ number: some BinaryInteger) -> LogValue { LogValue(number) }

    @Test func `integers of any type are values`() {
        #expect(value(-7) == .int(-7) && value(UInt64.max) == "18446744073709551615" && LogValue(7 as UInt8) == .int(7))
    }

    @Test func `a value of every type is read back unchanged`() {
        let moment = Timestamp(nanoseconds: 1_767_623_400_123_456_789)
        logger.info(
            "all",
            [
                "string": "text", "empty": "", "int": -7, "least": LogValue(Int64.min), "big": LogValue(UInt64.max),
                "double": 59.9, "infinite": .double(-.infinity), "yes": true, "no": false,
                "bytes": .bytes([0, 255, 10]), "none": .bytes([]), "date": LogValue(moment),
                "array": [1, "two", [3.5, false]], "map": ["lat": 59.9, "inner": ["deep": 3]], "hollow": [],
            ])
        #expect(
            log.records[0].attributes == [
                LogValueEntry("string", "text"), LogValueEntry("empty", ""), LogValueEntry("int", -7),
                LogValueEntry("least", .int(.min)), LogValueEntry("big", "18446744073709551615"),
                LogValueEntry("double", 59.9), LogValueEntry("infinite", .double(-.infinity)),
                LogValueEntry("yes", true), LogValueEntry("no", false), LogValueEntry("bytes", .bytes([0, 255, 10])),
                LogValueEntry("none", .bytes([])), LogValueEntry("date", .date(moment)),
                LogValueEntry("array", .array([1, "two", .array([3.5, false])])),
                LogValueEntry(
                    "map",
                    .map([LogValueEntry("lat", 59.9), LogValueEntry("inner", .map([LogValueEntry("deep", 3)]))])),
                LogValueEntry("hollow", .array([])),
            ])
    }

    @Test func `values nested deeper than 32 levels become a word`() {
        func nest(_ depth: Int) -> LogValue { depth == 0 ? "core" : .array([nest(depth - 1)]) }
        func nestMaps(_ depth: Int) -> LogValue {
            depth == 0 ? "core" : .map([LogValueEntry("k", nestMaps(depth - 1))])
        }
        for depth in [31, 32, 33, 2000] { logger.info("\(depth)", ["a": nest(depth), "m": nestMaps(depth), "z": 1]) }
        for record in log.records {
            let isDeep = (Int(record.message) ?? 0) > 32
            for key in ["a", "m"] {
                let text = record[key]?.description ?? ""
                #expect(text.contains("<nested too deep>") == isDeep)
                #expect(text.contains("core") != isDeep)
            }
            #expect(record["z"] == 1)
        }
    }

    @Test func `in a record with very many attributes each name is compared only with the first ones`() throws {
        let large = MemoryLog(capacity: 8 << 20)
        let padding = String(repeating: "-", count: 60)
        let names = (0..<1_100).map { "\($0)\(padding)" }
        let repeated = names + ["7\(padding)", "1099\(padding)"]
        large.logger.info("many", LogAttributes(repeated.map { (key: $0, value: LogValue(1)) }))
        let record = try #require(large.records.first)
        #expect(record.attributes.map(\.key) == names + ["1099\(padding)"])
    }

    @Test func `names known at run time, empty ones and long ones`() {
        let long = String(repeating: "é", count: 200)
        logger.info("dynamic", LogAttributes([("one", 1), ("", 2), (long, 3)].map { (key: $0.0, value: $0.1) }))
        #expect(
            log.records[0].attributes == [
                LogValueEntry("one", 1), LogValueEntry("", 2), LogValueEntry(String(repeating: "é", count: 127), 3),
            ])
    }

    private struct Fixed: ContextProvider {
        let attributes: @Sendable () -> LogAttributes
        func publish(into slot: Pipeline.ContextSlot) { try? slot.publish(attributes()) }
    }

    @Test func `the call comes before the logger, the task and the ambient context`() {
        log.pipeline.add(Fixed { ["who": "ambient", "ambient": 4] })
        let bound = logger.with(["who": "logger", "outer": 1]).with(["inner": 2, "outer": "shadowed"])
        Logger.withAttributes(["who": "task", "task": 3]) {
            bound.info("all", ["call": 0, "who": "call"])
            bound.info("no call")
            logger.info("task")
        }
        logger.info("ambient")
        let records = log.records
        #expect(
            records[0].attributes == [
                LogValueEntry("call", 0), LogValueEntry("who", "call"), LogValueEntry("inner", 2),
                LogValueEntry("outer", "shadowed"), LogValueEntry("task", 3), LogValueEntry("ambient", 4),
            ])
        #expect(records.map { $0["who"] } == ["call", "logger", "task", "ambient"])
        #expect(records[3].attributes.count == 2)
    }

    @Test func `of two equal names the first counts`() {
        logger.info("twice", ["a": 1, "b": 2, "a": 3])
        #expect(log.records[0].attributes == [LogValueEntry("a", 1), LogValueEntry("b", 2)])
    }

    @Test func `attributes of a task reach its children, and end with it`() async {
        let logger = logger
        await Logger.withAttributes(["request": 1]) {
            logger.info("parent")
            await Logger.withAttributes(["step": 2]) {
                async let child: Void = logger.info("async let")
                await child
                await withTaskGroup { group in group.addTask { logger.info("group") } }
                await Task { logger.info("task") }.value
                await Task.detached { logger.info("detached") }.value
            }
            await Task.yield()
            logger.info("parent again")
        }
        logger.info("outside")
        let attributes = Dictionary(uniqueKeysWithValues: log.records.map { ($0.message, $0.attributes) })
        let request = LogValueEntry("request", 1)
        for message in ["async let", "group", "task"] {
            #expect(attributes[message] == [LogValueEntry("step", 2), request])
        }
        for message in ["parent", "parent again"] { #expect(attributes[message] == [request]) }
        for message in ["detached", "outside"] { #expect(attributes[message] == []) }
    }

    @Test func `a trace and span are those of the task`() async {
        let trace = TraceContext(traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3))
        let inner = TraceContext(traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(4))
        let logger = logger
        await Logger.withTrace(trace) {
            logger.info("span 3", ["a": 1])
            Logger.withTrace(inner) { logger.info("span 4") }
            Logger.withAttributes(["b": 2]) { logger.info("span 3 again") }
            await Task.yield()
        }
        logger.info("none")
        #expect(log.records.map(\.trace) == [trace, inner, trace, nil])
        #expect(log.records.map(\.attributes.count) == [1, 0, 1, 0])
    }
}
