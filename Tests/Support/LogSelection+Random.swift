internal import Taffrail
internal import TaffrailGeo
package import TaffrailQuery

extension LogSelection {
    /// A selection with up to four conditions of any kind.
    package static func random(using generator: inout some RandomNumberGenerator) -> LogSelection {
        LogSelection(
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                LogCondition(.random(using: &generator), isNegated: Int.random(in: 0..<5, using: &generator) == 0)
            })
    }
}

extension LogTest {
    /// A test of any kind, with values that ``RecordPool`` uses too.
    package static func random(using generator: inout some RandomNumberGenerator) -> LogTest {
        func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }
        func list<T>(_ make: () -> T) -> [T] { (0..<Int.random(in: 1...3, using: &generator)).map { _ in make() } }
        func level() -> Level { pick(Level.allCases) }
        let time = Timestamp(
            nanoseconds: RecordPool.start + Int64.random(in: -1_000...400_000_000, using: &generator) * 1_000)
        func name() -> LogName {
            LogName(
                pick(RecordPool.names + ["", "geo.", "a b", "*", "x\"y"]), isPrefix: Bool.random(using: &generator))
        }
        let place = Coordinate(
            latitude: Double(Int.random(in: 55_000...56_000, using: &generator)) / 1_000,
            longitude: Double(Int.random(in: 12_000...13_000, using: &generator)) / 1_000)
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: return .level(pick([.less, .atMost, .different, .atLeast, .greater]), level())
        case 1: return .levels(list(level))
        case 2: return .logger(list { pick(RecordPool.names + [""]) })
        case 3: return .exactLogger(list { pick(RecordPool.names) })
        case 4: return .device(list(name))
        case 5: return .event(list(name))
        case 6: return .since(time)
        case 7: return .until(time)
        case 8: return .near(place, radius: Double(Int.random(in: 1...60_000, using: &generator)))
        case 9:
            return .box(
                CoordinateBox(
                    southWest: place,
                    northEast: Coordinate(latitude: place.latitude + 0.5, longitude: place.longitude + 0.5)))
        case 10, 11:
            let words = (0..<Int.random(in: 1...2, using: &generator)).map { _ in pick(RecordPool.words) }
            return .text(words.joined(separator: pick([" ", "-", ", "])), isPrefix: Bool.random(using: &generator))
        case 12: return .message(pick(RecordPool.words + ["k f", "?", "\n"]))
        case 13:
            return pick([
                .trace(TraceContext.TraceID(high: 1, low: 2)), .span(TraceContext.SpanID(3)), .run("00000000000000aa"),
                .run("a batch"),
            ])
        default:
            let key = pick(["status", "user", "level", "a key", "http.url", "@x", "ok", "flag"])
            func literal() -> LogLiteral {
                let text = pick(["200", "404", "500", "4.5", "ann", "true", "", "a,b", "ends*", "-3"])
                let isPlain = !text.isEmpty && !text.contains(",") && !text.hasSuffix("*")
                return LogLiteral(text, isQuoted: !isPlain || Bool.random(using: &generator))
            }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: return .attribute(key, .exists)
            case 1: return .attribute(key, .equals(list(literal)))
            case 2:
                return .attribute(key, .compares(pick([.less, .atMost, .different, .atLeast, .greater]), literal()))
            default: return .attribute(key, .contains(pick(RecordPool.words + ["/", "0"])))
            }
        }
    }
}

/// Records with few names, words and values, so that random queries find some.
package enum RecordPool {
    /// 2026-01-05 14:30:00 UTC.
    package static let start: Int64 = 1_767_623_400_000_000_000
    package static let names = ["net", "net.http", "network", "geo.location", "app"]
    package static let words = ["disk", "full", "Timeout", "time", "Ærø", "naïve", "日本", "x1", "ok"]

    /// Records within some minutes, some with equal times, in random order.
    package static func records(_ count: Int, seed: UInt64) -> [StoredRecord] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { index in record(index, using: &generator) }
    }

    private static func record(_ index: Int, using generator: inout SeededGenerator) -> StoredRecord {
        func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }
        func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &generator) == 0 }
        let text = (0..<Int.random(in: 1...5, using: &generator)).map { _ in pick(words) }
        let step = chance(3) ? 1_000_000_000 : Int64.random(in: 0..<400_000_000_000, using: &generator)
        var record = StoredRecord(
            time: Timestamp(nanoseconds: start + step),
            arrival: Timestamp(nanoseconds: start + 500_000_000_000 + Int64(index)),
            level: pick(Level.allCases), message: text.joined(separator: pick([" ", "-", "! ", "\n"])),
            eventName: chance(3) ? pick(names) : nil, logger: pick(names),
            device: pick(["", "ferry", "tender", "net"]),
            run: chance(9) ? "a batch" : "00000000000000aa", sequence: UInt64(index + 1))
        if chance(2) {
            record.attributes.append(
                LogValueEntry("status", pick([.int(200), .int(404), .string("500"), .double(4.5)])))
        }
        if chance(3) { record.attributes.append(LogValueEntry("user", pick(["ann", "a,b", "", "ends*"]))) }
        if chance(4) { record.attributes.append(LogValueEntry("ok", pick([.bool(true), .bool(false), .int(-3)]))) }
        if chance(5) { record.attributes.append(LogValueEntry("a key", .array([.int(200), .string("ann")]))) }
        if chance(5) { record.attributes.append(LogValueEntry("http.url", .string("/\"disk\":x\\"))) }
        if chance(6) { record.attributes.append(LogValueEntry("level", .map([LogValueEntry("status", .int(500))]))) }
        if chance(2) {
            // The precision with which stores keep coordinates.
            record.coordinate = Coordinate(
                latitude: Double(Int.random(in: 550_000_000...560_000_000, using: &generator)) / 1e7,
                longitude: Double(Int.random(in: 120_000_000...130_000_000, using: &generator)) / 1e7)
        }
        if chance(4) {
            record.trace = TraceContext(
                traceID: TraceContext.TraceID(high: 1, low: pick([2, 3])), spanID: TraceContext.SpanID(pick([3, 4])),
                flags: .sampled)
        }
        if chance(4) { record.source = LogRecord.SourceLocation(file: "App/Main.swift", function: "run()", line: 42) }
        return record
    }
}
