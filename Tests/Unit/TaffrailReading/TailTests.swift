import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

@Suite(.mayBlock) struct TailTests {
    let directory = TemporaryDirectory()

    func numbers(_ range: ClosedRange<Int>) -> [String] { range.map { "line \($0)" } }

    @Test func `rotated, compressed and live files are one log`() throws {
        try directory.log(numbers(1...100), rotate: RotationOptions(size: .kibibytes(1), keep: nil))
        #expect(directory.names.count > 3)
        let names = directory.names.filter { $0 != "app.log" }
        for name in [names[0], names[2]] { try Gzip.compress(directory.file(name)) }
        #expect(directory.names.contains { $0.hasSuffix(".gz") })
        let output = try TailOutput([directory.file("app.log")])
        #expect(output.problems == [])
        #expect(output.messages == numbers(1...100))
        #expect(try TailOutput([directory.path]).lines == output.lines)
    }

    @Test func `several programs are merged by time, each in its own order`() throws {
        try directory.log(["a1", "a2", "a3"], to: "a.log", from: 1_767_623_400)
        try directory.log(["b1", "b2", "b3"], to: "b.log", from: 1_767_623_401, format: .json)
        try directory.append("2026-01-05 14:30:01.5 c1\n  with more\n2026-01-05 14:30:00 c2\n", to: "c.txt")
        let output = try TailOutput([directory.path])
        let said = output.lines.map { line in line.split(separator: " ").last.map(String.init) ?? "" }
        #expect(said == ["a1", "a2", "b1", "c1", "more", "c2", "a3", "b2", "b3"])
    }

    @Test(arguments: [FileOptions.Format.text, .json, .logfmt], [FileOptions.Format.text, .json, .logfmt])
    func `every format is read and shown as every other`(from: FileOptions.Format, to: FileOptions.Format) throws {
        let record = LogRecord(
            timestamp: Timestamp(nanoseconds: 1_767_623_400_123_000_000), level: .notice,
            message: "left pier 3, \"late\"",
            eventName: "ship.left",
            attributes: [
                LogValueEntry("knots", .double(4.5)), LogValueEntry("pier", .int(3)),
                LogValueEntry("who", .string("a b=\"c\"\\")), LogValueEntry("late", .bool(true)),
            ], logger: "ship.engine",
            trace: TraceContext(traceID: TraceContext.TraceID(high: 1, low: 2), spanID: TraceContext.SpanID(3)))
        func write(_ format: FileOptions.Format, to name: String) throws {
            let sink = try FileSink(FileOptions(path: directory.file(name), rotate: RotationOptions(), format: format))
            var buffer = RecordBuffer()
            buffer.append(record)
            try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
            try sink.close()
        }
        try write(from, to: "from.log")
        try write(to, to: "to.log")
        let output = try TailOutput([directory.file("from.log")]) { $0.format = to }
        #expect(output.lines == directory.lines("to.log"))
    }

    @Test func `since and until cut out a time, whatever the files are`() throws {
        try directory.log(numbers(1...200), rotate: RotationOptions(size: .kibibytes(2), keep: nil))
        let names = directory.names.filter { $0 != "app.log" }
        try Gzip.compress(directory.file(names[1]))
        func moment(_ number: Int64) -> Int64 { (1_767_623_400 + number - 1) * 1_000_000_000 }
        for (first, last) in [(1, 10), (40, 140), (190, 200)] as [(Int64, Int64)] {
            let output = try TailOutput([directory.path]) {
                $0.filter.range = LineRange(since: moment(first), until: moment(last + 1))
            }
            #expect(output.messages == numbers(Int(first)...Int(last)))
        }
        #expect(try TailOutput([directory.path]) { $0.filter.range.since = moment(1000) }.lines == [])
    }

    @Test func `a time is found even if runs wrote earlier records late, as a recovery does`() throws {
        let start: Int64 = 1_767_623_400
        func write(_ run: UInt64, _ numbers: Range<Int64>, isRotated: Bool) throws {
            let sink = try FileSink(
                FileOptions(
                    path: directory.file("app.log"),
                    rotate: RotationOptions(size: isRotated ? .kibibytes(64) : nil, keep: nil)))
            for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 50) {
                var buffer = RecordBuffer(run: RingID(run))
                for number in first..<min(first + 50, numbers.upperBound) {
                    let message = "\(number) " + String(repeating: ".", count: 200)
                    buffer.append(
                        LogRecord(
                            timestamp: Timestamp(nanoseconds: (start + number) * 1_000_000_000), level: .info,
                            message: message))
                }
                try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
            }
            try sink.close()
        }
        func found(_ range: Range<Int64>) throws -> [Int64] {
            try TailOutput([directory.file("app.log")]) {
                $0.filter.range = LineRange(
                    since: (start + range.lowerBound) * 1_000_000_000, until: (start + range.upperBound) * 1_000_000_000
                )
            }.messages.compactMap { $0.split(separator: " ").first.flatMap { Int64($0) } }
        }
        // What was in a killed program's queue comes between the lines of another one, in one file and over several.
        for isRotated in [false, true] {
            for name in directory.names { unlink(directory.file(name)) }
            try write(1, 0..<2000, isRotated: isRotated)
            try write(2, 10_000..<11_000, isRotated: isRotated)
            try write(3, 2000..<2100, isRotated: isRotated)
            try write(2, 11_000..<14_000, isRotated: isRotated)
            #expect(isRotated == (directory.names.count > 5))
            #expect(try found(2050..<2060) == Array(2050..<2060))
            #expect(try found(1990..<2010) == Array(1990..<2010))
            #expect(try found(10_500..<10_510) == Array(10_500..<10_510))
            #expect(try found(10_990..<11_010) == Array(10_990..<11_010))
            #expect(try found(13_990..<14_500) == Array(13_990..<14_000))
            #expect(try found(0..<3).isEmpty == false)
            #expect(try found(1999..<13_995).sorted() == [1999] + Array(2000..<2100) + Array(10_000..<13_995))
        }
        // Lines that no program of ours wrote are known to no index.
        try directory.append("[2026-01-05 14:30:07.000] [INFO] 7 by hand\n", to: "app.log")
        #expect(try found(7..<8) == [7, 7])
    }

    @Test(arguments: [nil, Int64.min, 0, .max], [nil, Int64.min, 1_767_623_400_000_000_000, .max])
    func `lines with times at the edges are read, and in range`(since: Int64?, until: Int64?) throws {
        let edges = ["0000-01-01 00:00:00", "1677-09-21 00:12:43", "2262-04-11 23:47:17", "9999-12-31 23:59:59"]
        for (first, last) in edges.flatMap({ first in edges.map { (first, $0) } }) {
            let name = "\(first)\(last).log"
            try directory.append("\(first)Z hello\n2026-01-05 14:30:00Z there\n\(last)Z end\n", to: name)
            // Also one whose first time is in the index, which shows the time zone.
            try directory.log(["x"], to: "known.log")
            try directory.append("[\(first).000] [INFO] y\n", to: "known.log")
            for file in [name, "known.log"] {
                let output = try TailOutput([directory.file(file)]) {
                    $0.filter.range = LineRange(since: since, until: until)
                }
                #expect(output.problems == [])
                if since ?? .min == .min, until == nil { #expect(output.lines.count >= 2) }
            }
            unlink(directory.file("known.log"))
            unlink(directory.file(name))
        }
    }

    @Test func `the last lines are found from the end, also across files`() throws {
        try directory.log(numbers(1...200), rotate: RotationOptions(size: .kibibytes(2), keep: nil))
        let names = directory.names.filter { $0 != "app.log" }
        try Gzip.compress(directory.file(try #require(names.last)))
        for count in [0, 1, 30, 120, 500] {
            let output = try TailOutput([directory.path]) { $0.last = count }
            #expect(output.messages == Array(numbers(1...200).suffix(count)))
        }
        let found = try TailOutput([directory.path]) {
            $0.last = 2
            $0.filter.pattern = try? LinePatternMatch("line 1?5$")
        }
        #expect(found.messages == ["line 5", "line 15"])
    }

    @Test func `level, logger and expression select lines, with those that belong to them`() throws {
        try directory.append(
            """
            [2026-01-05 14:30:00.000] [INFO] one logger=net
            [2026-01-05 14:30:01.000] [ERROR] two logger=net.http
              at a.swift:1
            [2026-01-05 14:30:02.000] [DEBUG] three logger=network
            no level

            """, to: "app.log")
        func said(_ change: (inout LineFilter) -> Void) throws -> [String] {
            try TailOutput([directory.path]) { change(&$0.filter) }.lines.map { line in
                line.split(separator: " ").first { !$0.hasPrefix("[") && !$0.hasSuffix("]") }.map(String.init) ?? ""
            }
        }
        #expect(try said { $0.level = .error } == ["two", "at"])
        #expect(try said { $0.level = .info } == ["one", "two", "at"])
        #expect(try said { $0.logger = "net" } == ["one", "two", "at"])
        #expect(try said { $0.pattern = try? LinePatternMatch("t(wo|hree)") } == ["two", "three"])
    }

    @Test(arguments: [nil, 10] as [Int?])
    func `colours end before the newline, and expressions do not match them`(last: Int?) throws {
        let lines = [
            "[2026-01-05 14:30:00.000] [INFO] calm", "[2026-01-05 14:30:01.000] [WARNING] ice",
            "[2026-01-05 14:30:02.000] [ERROR] rock",
        ]
        try directory.append(
            lines.joined(separator: "\n") + "\n" + #"{"level":"error","msg":"reef","pier":3}"# + "\n", to: "app.log")
        func shown(_ change: (inout LineFilter) -> Void = { _ in }) throws -> [String] {
            try TailOutput([directory.path]) {
                $0.isColoured = true
                $0.last = last
                change(&$0.filter)
            }.lines
        }
        let all = try shown()
        // A line that is converted has the time of the previous one.
        let reef = "[2026-01-05 14:30:02.000] [ERROR] reef pier=3"
        #expect(
            all == [
                lines[0], "\u{1b}[33m\(lines[1])\u{1b}[0m", "\u{1b}[31m\(lines[2])\u{1b}[0m",
                "\u{1b}[31m\(reef)\u{1b}[0m",
            ])
        #expect(try shown { $0.pattern = try? LinePatternMatch("^\\[.*(calm|ice|rock|pier=3)$") } == all)
        #expect(try shown { $0.exclusion = try? LinePatternMatch("3[13]m|0m") } == all)
        #expect(try shown { $0.pattern = try? LinePatternMatch("3[13]m|0m") } == [])
    }

    @Test func `a file in UTC is read as such, because the index has its first time`() throws {
        let sink = try FileSink(
            FileOptions(path: directory.file("app.log"), time: .utc), zone: ZoneOffset { _ in 5 * 3600 },
            clock: { 1_767_623_400_000_000_000 })
        try sink.write(["x"])
        try sink.close()
        #expect(directory.text("app.log").hasPrefix("[2026-01-05 19:30:00.123]"))
        let output = try TailOutput([directory.path]) { $0.format = .json }
        #expect(output.lines.first?.hasPrefix("{\"time\":\"2026-01-05T14:30:00.123000000Z\"") == true)
    }

    @Test func `a damaged and a truncated file are reported with the offset, and the others are read`() throws {
        try directory.log(numbers(1...400), rotate: RotationOptions(size: .kibibytes(4), keep: nil))
        let names = directory.names.filter { $0 != "app.log" }
        for name in names.prefix(2) { try Gzip.compress(directory.file(name)) }
        try Gzip.damage(directory.file(names[0] + ".gz"), cut: false)
        try Gzip.damage(directory.file(names[1] + ".gz"), cut: true)
        let output = try TailOutput([directory.path])
        #expect(output.problems.count == 2)
        #expect(output.problems.first?.contains("\(names[0]).gz: damaged near byte") == true, "\(output.problems)")
        #expect(output.problems.last?.contains("\(names[1]).gz: cut off at byte") == true, "\(output.problems)")
        #expect(output.messages.last == "line 400")
    }

    @Test func `missing files, and files that are not logs or not text, are refused by name`() throws {
        #expect(throws: LogTail.Refusal.self) { try TailOutput([directory.file("none.log")]) }
        try directory.append("a\0b\n", to: "binary")
        let output = try TailOutput([directory.file("binary")])
        #expect(output.problems.first?.contains("not text") == true)
        #expect(throws: LinePatternMatch.Failure.self) { try LinePatternMatch("(") }
    }

    @Test func `a rotated log without its live file is read`() throws {
        try directory.log(numbers(1...50), rotate: RotationOptions(size: .kibibytes(1), keep: nil))
        rename(directory.file("app.log"), directory.file("gone.txt"))
        let all = try TailOutput([directory.file("app.log")])
        #expect(all.messages.first == "line 1")
        unlink(directory.file("gone.txt"))
        #expect(try TailOutput([directory.path]).lines == all.lines)
    }

    @Test func `a line longer than a chunk and one without an end are lines`() throws {
        let long = String(repeating: "x", count: 1 << 20)
        try directory.append(
            "[2026-01-05 14:30:00.000] [INFO] \(long)\r\n[2026-01-05 14:30:01.000] [INFO] end", to: "app.log")
        let output = try TailOutput([directory.path])
        #expect(output.messages == [long, "end"])
        #expect(try TailOutput([directory.path]) { $0.last = 1 }.messages == ["end"])
    }
}
