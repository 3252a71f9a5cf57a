import TaffrailTesting
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// The message of a call.
@Suite(.mayBlock) struct LoggerCallTests {
    private let log = MemoryLog()
    private var logger: Logger { log.logger }

    @Test func `every level has its call`() {
        logger.trace("t")
        logger.debug("d")
        logger.info("i")
        logger.notice("n")
        logger.warning("w")
        logger.error("e")
        logger.critical("c")
        for level in Level.allCases { logger.log(level: level, "at \(level.name)") }
        let text = ["text", "that exists"].joined(separator: " ")
        logger.trace(text)
        logger.debug(text)
        logger.info(text)
        logger.notice(text)
        logger.warning(text)
        logger.error(text)
        logger.critical(text)
        for level in Level.allCases { logger.log(level: level, text) }
        #expect(log.records.map(\.level) == Level.allCases + Level.allCases + Level.allCases + Level.allCases)
        #expect(
            log.messages == ["t", "d", "i", "n", "w", "e", "c"] + Level.allCases.map { "at \($0.name)" }
                + Array(repeating: text, count: 14))
    }

    @Test func `an event name without a pointer is omitted`() {
        func scalar<Text: ExpressibleByUnicodeScalarLiteral>() -> Text { "x" }
        let event: StaticString = scalar()
        #expect(!event.hasPointerRepresentation)
        logger.log(level: .info, event: event, "m")
        #expect(log.messages == ["m"] && log.records.map(\.eventName) == [nil])
    }

    @Test func `a call below the level evaluates neither message nor attributes`() {
        let quiet = MemoryLog(level: .critical)
        var evaluated = 0
        func touch() -> String {
            evaluated += 1
            return "touched"
        }
        for level in Level.allCases.dropLast() {
            quiet.logger.log(level: level, "\(touch())", ["key": LogValue(touch())])
            quiet.logger.log(level: level, touch(), ["key": LogValue(touch())])
        }
        #expect(evaluated == 0)
        quiet.logger.critical("\(touch())", ["key": LogValue(touch())])
        #expect(evaluated == 2)
        #expect(quiet.messages == ["touched"])
    }

    @Test func `literals become messages, and strings are accepted as well`() {
        let name = "Anna"
        let missing: Int? = nil
        let isLate = true
        logger.info("literal")
        logger.info("")
        logger.info("\(name)")
        logger.info("a\(1)b\(name)c\(2.5)d\(true)e\(Int8(-128))f\(UInt64.max)g\(name.prefix(2))h")
        logger.info("\(missing) \(Optional(7)) \([1, 2]) \(Level.info) \("static" as StaticString) \(Float(0.1))")
        logger.info("left " + name)
        logger.info(isLate ? "late" : "on time")
        logger.info(name)
        logger.info(String(describing: 5))
        logger.info("token \(name, privacy: .private)")
        #expect(
            log.messages == [
                "literal", "", "Anna", "a1bAnnac2.5dtruee-128f18446744073709551615gAnh",
                "nil 7 [1, 2] info static 0.1", "left Anna", "late", "Anna", "5", "token <private>",
            ])
    }

    @Test func `integers of every length become their digits`() {
        var numbers: [Int64] = [0, .min, .max]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            for number in [power - 1, power, power + 1, power + power / 3] { numbers += [number, -number] }
        }
        numbers += (0..<2000).map { Int64.random(in: .min ... .max) >> ($0 % 64) }
        for number in numbers { logger.info("<\(number)>") }
        #expect(log.messages == numbers.map { "<" + String($0) + ">" })
    }

    /// A description that logs, up to its depth.
    private struct Talkative: CustomStringConvertible {
        let depth: Int
        let logger: Logger

        var description: String {
            guard depth > 0 else { return "." }
            let next = Talkative(depth: depth - 1, logger: logger)
            logger.info("inner \(depth) \(next) end \(depth)", ["depth": LogValue(depth), "next": "\(next)"])
            return "<\(depth)>"
        }
    }

    @Test func `a description may itself log, at any depth, and every message stays intact`() {
        logger.info(
            "outer \(Talkative(depth: 3, logger: logger)) and \(Talkative(depth: 1, logger: logger)) end",
            ["value": "\(Talkative(depth: 2, logger: logger))", "last": true])
        let records = log.records
        for record in records.dropLast() {
            guard case .int(let depth)? = record["depth"] else {
                Issue.record("no depth in \(record)")
                continue
            }
            let next = depth == 1 ? "." : "<\(depth - 1)>"
            #expect(record.message == "inner \(depth) \(next) end \(depth)")
            #expect(record["next"] == .string(next))
        }
        // A description of depth d logs 2^d - 1 records.
        #expect(records.count == 7 + 1 + 3 + 1)
        #expect(records.last?.message == "outer <3> and <1> end")
        #expect(records.last?.attributes == [LogValueEntry("value", "<2>"), LogValueEntry("last", true)])
    }

    @Test func `a message and attributes created before the call can be used in it, also twice`() {
        let message: LogMessage = "made \(1) before"
        let attributes: LogAttributes = ["a": 1, "b": "two"]
        let text = LogMessage(String(repeating: "x", count: 3000))
        for _ in 0..<2 {
            logger.info(message, attributes)
            logger.info("\(1)", attributes)
            logger.info(text)
        }
        let entries = [LogValueEntry("a", 1), LogValueEntry("b", "two")]
        for round in 0..<2 {
            let three = log.records.dropFirst(3 * round).prefix(3)
            #expect(three.map(\.message) == ["made 1 before", "1", String(repeating: "x", count: 3000)])
            #expect(three.map(\.attributes) == [entries, entries, []])
        }
    }

    @Test func `a message that is passed on as an argument is built once, in the call`() {
        func relay(_ message: @autoclosure () -> LogMessage, _ attributes: @autoclosure () -> LogAttributes = [:]) {
            logger.notice(message(), attributes())
        }
        relay("relayed \(1)", ["key": 1])
        relay("relayed \(2)")
        #expect(log.messages == ["relayed 1", "relayed 2"])
        #expect(log.records[0]["key"] == 1)
    }

    @Test func `an unused message leaves no trace in the next one`() {
        func stray() -> LogMessage { "stray \(String(repeating: "s", count: 500))" }
        _ = stray()
        logger.info("first")
        logger.info(
            {
                _ = stray()
                return "second \(2)"
            }())
        logger.info(
            "third",
            {
                _ = stray()
                return ["a": 1, "b": 2]
            }())
        logger.info(
            "fourth",
            {
                let unused: LogAttributes = ["unused": 1]
                _ = unused
                return ["a": 1]
            }())
        #expect(log.messages == ["first", "second 2", "third", "fourth"])
        #expect(
            log.records.map(\.attributes) == [
                [], [], [LogValueEntry("a", 1), LogValueEntry("b", 2)], [LogValueEntry("a", 1)],
            ])
    }

    @Test(arguments: ["", "text"]) func `a thread may make a message before it has logged`(text: String) async throws {
        // Each on a separate thread; the first segment is empty.
        let lengths = [
            try await blocking { ("\(text)" as LogMessage).length },
            try await blocking { ("\(text) after" as LogMessage).length },
            try await blocking { ("" as LogMessage).length },
            try await blocking { LogMessage(text).length },
        ]
        #expect(lengths == [text.utf8.count, text.utf8.count + 6, 0, text.utf8.count])
    }

    @Test func `an interpolation that an error leaves does no harm, however often`() {
        struct Failure: Error {}
        func fail() throws -> Int { throw Failure() }
        let filling = String(repeating: "f", count: 10_000)
        for n in 0..<500 {
            #expect(throws: Failure.self) { let _: LogMessage = "\(filling) \(try fail())" }
            if n % 50 == 0 { logger.info("after \(n)", ["n": LogValue(n)]) }
        }
        #expect(log.messages == stride(from: 0, to: 500, by: 50).map { "after \($0)" })
    }

    @MainActor private final class View {
        var taps = 0
        let logger: Logger

        init(_ logger: Logger) { self.logger = logger }

        func tap() {
            taps += 1
            logger.info("tap \(taps)", ["taps": LogValue(taps)])
        }
    }

    @Test func `a caller of the main actor logs its own state`() async {
        let view = await View(logger)
        await view.tap()
        await view.tap()
        #expect(log.messages == ["tap 1", "tap 2"])
    }

    @Test func `a record has its source location and its event name`() {
        let line = #line + 1
        logger.info("here")
        logger.log(level: .warning, event: "ship.departed", "left", ["pier": 4])
        logger.info("named", file: "Other/File.swift", function: "other()", line: 7)
        let records = log.records
        #expect(records[0].source?.file == "TaffrailTests/LoggerCallTests.swift")
        #expect(records[0].source?.line == UInt32(line))
        #expect(records[0].source?.function.contains("a record has its source location") == true)
        #expect(records.map(\.eventName) == [nil, "ship.departed", nil])
        #expect(records[2].source == LogRecord.SourceLocation(file: "Other/File.swift", function: "other()", line: 7))
    }

    @Test func `records have the time of their call, in order`() {
        let before = Timestamp.now.nanoseconds
        for n in 0..<100 { logger.info("\(n)") }
        let times = log.records.map(\.timestamp.nanoseconds)
        #expect(times == times.sorted())
        // The two clocks are read in different ways; a quarter of a second is far more than they differ.
        let slack: Int64 = 250_000_000
        #expect((times.first ?? 0) > before - slack && (times.last ?? .max) < Timestamp.now.nanoseconds + slack)
    }
}
