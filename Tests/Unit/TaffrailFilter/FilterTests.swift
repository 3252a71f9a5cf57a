import Taffrail
import TaffrailFilter
import TaffrailTesting
import Testing

@Suite struct FilterTests {
    static let records = [
        LogRecord(level: .debug, message: "health check ok", logger: "net.heartbeat"),
        LogRecord(level: .info, message: "left pier 4", eventName: "departure", logger: "nav"),
        LogRecord(level: .warning, message: "slow answer", logger: "net.http"),
        LogRecord(level: .error, message: "engine stopped", eventName: "alarm", logger: "network"),
    ]

    @Test(arguments: [
        (FilterOptions(), [0, 1, 2, 3]),
        (FilterOptions(level: .warning), [2, 3]),
        (FilterOptions(loggers: ["net"]), [0, 2]),
        (FilterOptions(loggers: ["net", "nav"], exceptLoggers: ["net.heartbeat"]), [1, 2]),
        (FilterOptions(events: ["alarm", "arrival"]), [3]),
        (FilterOptions(exceptEvents: ["alarm"]), [0, 1, 2]),
        (FilterOptions(containing: ["pier", "stop"]), [1, 3]),
        (FilterOptions(exceptContaining: ["health", "swim"]), [1, 2, 3]),
        (FilterOptions(level: .info, loggers: ["net"], containing: ["answer"]), [2]),
    ]) func `a record passes when it meets all conditions`(options: FilterOptions, kept: [Int]) {
        var filter = FilterProcessor(options)
        #expect(filter.outcome(of: Self.records) == kept.map { Self.records[$0] })
    }

    @Test func `event names are compared byte by byte, as in the filter of a sink`() {
        let records = ["caf\u{e9}", "cafe\u{301}"].map { LogRecord(level: .info, message: "x", eventName: $0) }
        var only = FilterProcessor(FilterOptions(events: ["caf\u{e9}"]))
        #expect(only.outcome(of: records) == [records[0]])
        var except = FilterProcessor(FilterOptions(exceptEvents: ["caf\u{e9}"]))
        #expect(except.outcome(of: records).map { $0.eventName?.utf8.count } == [6])
    }

    @Test func `a text is found at the very start and end, and not when it is longer than the message`() {
        var filter = FilterProcessor(FilterOptions(containing: ["left pier 4"]))
        #expect(filter.outcome(of: Self.records).map(\.message) == ["left pier 4"])
        var longer = FilterProcessor(FilterOptions(containing: ["left pier 42"]))
        #expect(longer.outcome(of: Self.records).isEmpty)
        var repeated = FilterProcessor(FilterOptions(containing: ["aab"]))
        #expect(repeated.outcome(of: [LogRecord(level: .info, message: "aaab")]).count == 1)
    }
}
