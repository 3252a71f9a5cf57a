import Taffrail
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// The calls that a new user writes first: with variables, errors and values of custom types.
@Suite(.mayBlock) struct FirstHourTests {
    private let log = MemoryLog()
    private var logger: Logger { log.logger }

    private func value(_ name: String = "v") -> LogValue? { log.records.last?[name] }

    // MARK: Variables

    @Test func `an integer of every type is an attribute`() {
        let values: (Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64) = (-8, -16, -32, .min, 8, 16, 32, .max)
        let (int, uint, wide, unsigned): (Int, UInt, Int128, UInt128) = (8080, 7, .max, 9)
        logger.info("signed", ["a": int, "b": values.0, "c": values.1, "d": values.2, "e": values.3, "f": wide])
        logger.info("unsigned", ["a": uint, "b": values.4, "c": values.5, "d": values.6, "e": values.7, "f": unsigned])
        #expect(
            log.records.map { $0.attributes.map(\.value) } == [
                [8080, -8, -16, -32, .int(.min), .string("\(Int128.max)")],
                [7, 8, 16, 32, "18446744073709551615", 9],
            ])
    }

    @Test func `numbers, text, truth and times are attributes`() {
        let (double, float, text, flag, time) = (2.5, Float(0.1), "ferry", true, Timestamp(nanoseconds: 17))
        logger.info(
            "all",
            [
                "double": double, "float": float, "text": text, "part": text.prefix(2), "flag": flag, "time": time,
                "duration": Duration.milliseconds(1250),
            ])
        #expect(
            log.records[0].attributes == [
                LogValueEntry("double", 2.5), LogValueEntry("float", 0.1), LogValueEntry("text", "ferry"),
                LogValueEntry("part", "fe"), LogValueEntry("flag", true), LogValueEntry("time", .date(time)),
                LogValueEntry("duration", 1.25),
            ])
    }

    @Test func `nil values are omitted`() {
        let (missing, present): (Int?, String?) = (nil, "here")
        logger.info("optional", ["missing": missing, "present": present])
        logger.info("nothing", ["missing": missing, "twice": Int??.some(nil)])
        #expect(log.records.map(\.attributes) == [[LogValueEntry("present", "here")], []])
    }

    @Test func `lists and maps of variables are attributes`() {
        let (list, map, holes) = ([1, 2], ["lon": 12.5, "lat": 55.6], ["a", nil] as [String?])
        let (latitude, longitude) = (55.6, 12.5)
        logger.info(
            "nested", ["list": list, "map": map, "holes": holes, "here": [latitude, longitude], "rows": [list]])
        #expect(
            log.records[0].attributes == [
                LogValueEntry("list", [1, 2]), LogValueEntry("map", ["lat": 55.6, "lon": 12.5]),
                LogValueEntry("holes", ["a", "nil"]), LogValueEntry("here", [55.6, 12.5]),
                LogValueEntry("rows", [[1, 2]]),
            ])
    }

    @Test func `expressions and literals can be mixed with variables`() {
        let (port, ratio, name) = (8080, 0.5, "ferry")
        logger.info(
            "mixed",
            [
                "next": port + 1, "half": ratio * 2 - 0.5, "count": name.count, "privileged": port < 1024, "text": "t",
                "int": 3, "double": 1.5, "flag": false, "in": "of \(name)", "value": LogValue(port),
                "either": port > 1024 ? name : "root", "list": [1, 2].map { $0 * 2 },
            ])
        #expect(
            log.records[0].attributes.map(\.value) == [
                8081, 0.5, 5, false, "t", 3, 1.5, false, "of ferry", 8080, "ferry", [2, 4],
            ])
    }

    @Test func `names may be known at run time only`() {
        let (key, port) = ("p" + "ort", 8080)
        logger.info("literal", [key: 3])
        logger.info("variable", [key: port, "\(key)-name": "http"])
        #expect(
            log.records.map(\.attributes) == [
                [LogValueEntry("port", 3)], [LogValueEntry("port", 8080), LogValueEntry("port-name", "http")],
            ])
    }

    @Test func `earlier options are still accepted`() {
        let (time, port, none) = (Timestamp(nanoseconds: 5), 8080, LogAttributes())
        logger.info("moment", ["v": .date(time), "w": .bytes([1])])
        #expect(value() == .date(time))
        logger.info("nested", ["v": ["a": 1, "b": ["x", 2.5, true]], "w": LogValue(port)])
        #expect(value() == ["a": 1, "b": ["x", 2.5, true]])
        logger.info("attributes", none)
        logger.info("choice", port > 1 ? ["v": 1] : [:])
        #expect(value() == 1)
        logger.info("empty", [:])
        logger.info("text " + "that exists", ["v": .int(2), "w": ["x", 1]])
        #expect(value() == 2)
    }

    @Test func `every call accepts variables, with both kinds of message`() {
        let (port, text) = (8080, ["text", "that exists"].joined(separator: " "))
        logger.trace("message", ["v": port])
        logger.debug("message", ["v": port])
        logger.info("message", ["v": port])
        logger.notice("message", ["v": port])
        logger.warning("message", ["v": port])
        logger.error("message", ["v": port])
        logger.critical("message", ["v": port])
        for level in Level.allCases { logger.log(level: level, event: "e", "message", ["v": port]) }
        logger.trace(text, ["v": port])
        logger.debug(text, ["v": port])
        logger.info(text, ["v": port])
        logger.notice(text, ["v": port])
        logger.warning(text, ["v": port])
        logger.error(text, ["v": port])
        logger.critical(text, ["v": port])
        for level in Level.allCases { logger.log(level: level, event: "e", text, ["v": port]) }
        let records = log.records
        #expect(records.map(\.level) == [0, 1, 2, 3].flatMap { _ in Level.allCases })
        #expect(records.map(\.message) == Array(repeating: "message", count: 14) + Array(repeating: text, count: 14))
        #expect(records.allSatisfy { $0["v"] == 8080 })
        #expect(records.filter { $0.eventName == "e" }.count == 14)
        #expect(records.allSatisfy { $0.source?.file == "TaffrailTests/FirstHourTests.swift" })
    }

    @Test func `a literal stays a message next to variables, with privacy`() {
        let (token, port) = ("secret", 8080)
        logger.info("in with \(token, privacy: .private)", ["v": port])
        #expect(log.messages == ["in with <private>"])
    }

    @Test func `loggers, tasks and contexts accept variables`() async {
        struct Vehicle: ContextProvider {
            let number: Int
            func publish(into slot: Pipeline.ContextSlot) {
                #expect(throws: Never.self) { try slot.publish(["vehicle": number]) }
            }
        }
        let (pier, user) = (3, "anna")
        log.pipeline.add(Vehicle(number: 17))
        logger.with(["pier": pier]).info("bound")
        Logger.withAttributes(["user": user]) { logger.info("sync") }
        await Logger.withAttributes(["user": user]) {
            await Task.yield()
            logger.info("async")
        }
        let ambient = LogValueEntry("vehicle", 17)
        #expect(
            log.records.map(\.attributes) == [
                [LogValueEntry("pier", 3), ambient], [LogValueEntry("user", "anna"), ambient],
                [LogValueEntry("user", "anna"), ambient],
            ])
    }

    @Test func `a value that logs or creates messages during evaluation does no harm`() {
        struct Chatty: LogValueConvertible {
            let logger: Logger
            var logValue: LogValue {
                logger.debug("asked", ["inner": logger.name.count])
                let message = LogMessage("left lying about")
                let attributes: LogAttributes = ["also": "left"]
                _ = (message, attributes)
                return "chatty"
            }
        }
        let (port, chatty) = (8080, Chatty(logger: logger))
        logger.info("outer", ["a": port, "b": chatty, "c": port])
        #expect(log.messages == ["asked", "outer"])
        #expect(
            log.records[1].attributes == [
                LogValueEntry("a", 8080), LogValueEntry("b", "chatty"), LogValueEntry("c", 8080),
            ])
    }

    @Test func `a call below the level evaluates no variable and no error`() {
        let quiet = MemoryLog(level: .critical)
        var evaluated = 0
        func touch() -> Int {
            evaluated += 1
            return evaluated
        }
        func failure() -> (any Error)? {
            evaluated += 1
            return nil
        }
        let text = "text" + ""
        quiet.logger.info("m", ["v": touch()])
        quiet.logger.info(text, error: failure(), ["v": touch()])
        quiet.logger.info("m", error: failure())
        quiet.logger.info("m", error: failure(), ["v": touch()])
        quiet.logger.log(level: .error, "m", error: failure(), ["v": touch()])
        quiet.logger.log(level: .error, text, ["v": touch()])
        quiet.logger.log(level: .error, "m", error: failure(), ["v": 1])
        #expect(evaluated == 0)
        quiet.logger.critical("m", error: failure(), ["v": touch()])
        #expect(evaluated == 2)
    }

    // MARK: Floating-point numbers and durations

    @Test(arguments: [
        0, -0.0, 0.1, 2.5, -273.15, 1e-7, 3.4028235e38, .leastNonzeroMagnitude, 16_777_216, 123_456.79, 0.333_333_34,
    ])
    func `a Float has the digits that it prints`(_ number: Float) {
        guard case .double(let value) = number.logValue else {
            Issue.record("is no double")
            return
        }
        #expect(Float(value) == number)
        #expect(value == Double(number.description))
    }

    @Test func `a Float that is NaN stays NaN`() {
        #expect(Float.infinity.logValue == .double(.infinity))
        guard case .double(let value) = Float.nan.logValue else {
            Issue.record("is no double")
            return
        }
        #expect(value.isNaN)
    }

    @Test func `a Duration is logged in seconds`() {
        #expect(Duration.milliseconds(100).logValue == 0.1)
        #expect(Duration.nanoseconds(-1).logValue == -1e-9)
        #expect(Duration(secondsComponent: 0, attosecondsComponent: 1).logValue == 1e-18)
        #expect(Duration.seconds(Int64.max).logValue == .double(0x1p63))
        #expect(Duration.seconds(Int64.min).logValue == .double(-0x1p63))
        #expect((Duration.seconds(Int64.max) * 4).logValue == .double(0x1p65))
        #expect((Duration.seconds(Int64.min) * 4).logValue == .double(-0x1p65))
    }

    @Test func `numbers in a message have a format`() {
        let (speed, flags) = (7.256, UInt8(0xAB))
        logger.info("\(speed, format: .fixed(2)) kn, flags \(flags, format: .hex)")
        #expect(log.messages == ["7.26 kn, flags ab"])
    }

    // MARK: Custom types

    @Test func `a custom type needs an empty extension`() {
        let (pier, mode, described, flags) = (Pier(), Mode.turbo, Mode.Described.slow, Flags(rawValue: 5))
        logger.info(
            "own", ["pier": pier, "mode": mode, "described": described, "flags": flags, "own": Speed(knots: 7)])
        #expect(log.records[0].attributes.map(\.value) == ["pier 3", "turbo", 1, 5, .map([LogValueEntry("kn", 7)])])
    }

    @Test func `a custom error is an attribute`() {
        logger.info(
            "errors", ["a": Failure.plain, "b": Failure.Numbered.late, "c": Failure.Told(), "d": Failure.Both.x])
        #expect(log.records[0].attributes.map(\.value) == ["plain", 4, "told", "x"])
    }

    // MARK: Errors

    @Test func `every call accepts an error, with both kinds of message`() {
        let (error, text): (any Error, String) = (Failure.Told(), ["text", "that exists"].joined(separator: " "))
        logger.trace("message", error: error)
        logger.debug("message", error: error)
        logger.info("message", error: error)
        logger.notice("message", error: error)
        logger.warning("message", error: error)
        logger.error("message", error: error)
        logger.critical("message", error: error)
        for level in Level.allCases { logger.log(level: level, event: "e", "message", error: error) }
        logger.error(text, error: error)
        logger.log(level: .error, text, error: error)
        let records = log.records
        #expect(records.map(\.level) == Level.allCases + Level.allCases + [.error, .error])
        #expect(
            records.allSatisfy {
                $0.attributes == [LogValueEntry("error", "told"), LogValueEntry("error.type", "Told")]
            })
    }

    @Test func `an error follows the attributes, and nil adds nothing`() {
        let (port, text) = (8080, "text" + "")
        logger.error("literals", error: Failure.plain, ["v": .int(1), "w": ["a": 1, "b": "x"]])
        logger.error("variables", error: Failure.plain, ["v": port])
        logger.error(text, error: Failure.plain, ["v": port])
        logger.error("own name", error: Failure.plain, ["error": "mine"])
        logger.error("nil", error: nil, ["v": port])
        logger.error("nil", error: nil)
        let error = [LogValueEntry("error", "plain"), LogValueEntry("error.type", "Failure")]
        let port80 = LogValueEntry("v", 8080)
        #expect(
            log.records.map(\.attributes) == [
                [LogValueEntry("v", 1), LogValueEntry("w", ["a": 1, "b": "x"])] + error, [port80] + error,
                [port80] + error, [LogValueEntry("error", "mine"), error[1]], [port80], [],
            ])
    }

    @Test func `attributes created before the call keep their bytes next to an error`() {
        let made: LogAttributes = ["a": 1, "b": "two"]
        logger.error("made", error: Failure.plain, made)
        #expect(log.records[0].attributes.map(\.key) == ["a", "b", "error", "error.type"])
    }

    @Test func `an error whose description logs spoils nothing`() {
        struct Chatty: Error, CustomStringConvertible {
            let logger: Logger
            var description: String {
                logger.debug("asked", ["n": logger.name.count])
                _ = LogMessage("left lying about")
                return "chatty"
            }
        }
        logger.error("outer", error: Chatty(logger: logger), ["v": 1])
        #expect(log.messages == ["asked", "outer"])
        #expect(log.records[1].attributes.map(\.value) == [1, "chatty", "Chatty"])
    }
}

private struct Pier: CustomStringConvertible {
    let description = "pier 3"
}

private enum Mode: String {
    case turbo

    enum Described: Int, CustomStringConvertible {
        case slow = 1
        var description: String { "described" }
    }
}

private struct Flags: OptionSet {
    let rawValue: UInt8
}

private struct Speed: LogValueConvertible {
    let knots: Int
    var logValue: LogValue { ["kn": knots.logValue] }
}

private enum Failure: Error {
    case plain

    enum Numbered: Int, Error { case late = 4 }
    struct Told: Error, CustomStringConvertible { let description = "told" }
    enum Both: String, Error, CustomStringConvertible {
        case x
        var description: String { "both" }
    }
}

extension Pier: LogValueConvertible {}
extension Mode: LogValueConvertible {}
extension Mode.Described: LogValueConvertible {}
extension Flags: LogValueConvertible {}
extension Failure: LogValueConvertible {}
extension Failure.Numbered: LogValueConvertible {}
extension Failure.Told: LogValueConvertible {}
extension Failure.Both: LogValueConvertible {}
