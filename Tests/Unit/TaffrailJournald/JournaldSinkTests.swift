#if Journald
import Glibc
import Taffrail
import TaffrailJournald
import TaffrailTesting
import TaffrailTestSupport
import Testing

@Suite(
    .mayBlock, .serialized,
    .enabled(if: PrivateJournald.isPossible, "a private journald needs root and systemd-journald"))
struct JournaldSinkTests {
    /// A sink on a private journald, with a fallback in memory.
    private final class Setup {
        let journald: PrivateJournald
        let run = RingID(UInt64.random(in: 1 ... .max))
        let fallback = MemorySink()
        let sink: JournaldSink
        private var sequence: UInt64 = 0

        init(_ name: String, fallback hasFallback: Bool = true) throws {
            journald = try PrivateJournald(name)
            let options = JournaldOptions(
                socket: journald.socket, patience: .milliseconds(300), fallback: hasFallback)
            let fallback = fallback
            sink = JournaldSink(options, name: "journald", program: "tests", fallbackName: "memory") {
                () throws(SinkError) in fallback
            }
        }

        /// Writes records as the writer does: those not taken are offered again.
        func write(_ records: [LogRecord]) throws {
            var rest = records.map { record in
                var record = record
                sequence += 1
                record.sequence = sequence
                return record
            }
            try journald.wait("all records are taken") {
                var buffer = RecordBuffer(run: run)
                for record in rest { buffer.append(record) }
                do throws(SinkError) {
                    try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
                    rest = []
                } catch {
                    guard error.kind == .temporary else { throw error }
                    rest.removeFirst(error.taken)
                }
                return rest.isEmpty
            }
        }

        func write(_ message: String) throws { try write([LogRecord(level: .info, message: message)]) }

        func entries() throws -> [[String: [[UInt8]]]] { try journald.entries(where: "TAFFRAIL_RUN=\(run)") }

        /// The messages in the order of their numbers, from journald and the fallback together.
        func allMessages() throws -> [String] {
            let stored = try entries().map { (UInt64($0.text("TAFFRAIL_SEQ") ?? "") ?? 0, $0.text("MESSAGE") ?? "") }
            let kept = fallback.records.map { ($0.sequence, $0.message) }
            return (stored + kept).sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    @Test func `every part of a record becomes a field`() throws {
        let setup = try Setup("fields")
        let trace = TraceContext(
            traceID: TraceContext.TraceID(high: 0x4bf9, low: 0x2f35), spanID: TraceContext.SpanID(0xf067))
        try setup.write([
            LogRecord(
                timestamp: Timestamp(nanoseconds: 1_767_623_400_123_456_789), level: .critical, message: "left pier",
                eventName: "departure",
                attributes: [
                    LogValueEntry("pier", 4), LogValueEntry("speed", 5.5), LogValueEntry("late", true),
                    LogValueEntry("ship.name", "Ada"), LogValueEntry("raw", .bytes([0, 10, 255])),
                    LogValueEntry("at", .date(Timestamp(nanoseconds: 0))), LogValueEntry("list", [1, "a", [:]]),
                ],
                logger: "nav", source: LogRecord.SourceLocation(file: "Ferry/Nav.swift", function: "leave()", line: 7),
                trace: trace)
        ])
        let entries = try setup.entries()
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        let expected = [
            "MESSAGE": "left pier", "PRIORITY": "2", "LEVEL": "critical", "LOGGER": "nav", "EVENT": "departure",
            "SYSLOG_IDENTIFIER": "tests", "CODE_FILE": "Ferry/Nav.swift", "CODE_LINE": "7", "CODE_FUNC": "leave()",
            "TAFFRAIL_SEQ": "1", "TAFFRAIL_RUN": setup.run.description, "TAFFRAIL_TIME": "1767623400123456789",
            "TRACE_ID": trace.traceID.description, "SPAN_ID": trace.spanID.description, "PIER": "4", "SPEED": "5.5",
            "LATE": "true", "SHIP_NAME": "Ada", "AT": "1970-01-01T00:00:00.000000000Z", "LIST": "[1,\"a\",{}]",
        ]
        for (name, value) in expected { #expect(entry.text(name) == value, "\(name)") }
        #expect(entry["RAW"] == [[0, 10, 255]])
        // The FNV-1a offset basis and prime are those of the published reference.
        #expect(entry.text("MESSAGE_ID")?.count == 32)
    }

    @Test func `levels become priorities that are never broadcast`() throws {
        let setup = try Setup("levels")
        try setup.write(Level.allCases.map { LogRecord(level: $0, message: $0.name) })
        let entries = try setup.entries()
        #expect(entries.map { $0.text("PRIORITY") } == ["7", "7", "6", "5", "4", "3", "2"])
        #expect(entries.map { $0.text("LEVEL") } == Level.allCases.map(\.name))
    }

    @Test func `messages with newlines, of one and of eight megabytes arrive unchanged`() throws {
        let setup = try Setup("long")
        let messages = [
            "", "a\nb\nPRIORITY=0\n", "\u{0} \u{1B}[31m 🚢", String(repeating: "x", count: 200_000),
            String(repeating: "line\n", count: 1 << 18), String(repeating: "0123456789abcde\n", count: 1 << 19),
        ]
        try setup.write(messages.map { LogRecord(level: .info, message: $0) })
        let stored = try setup.entries().map { $0.text("MESSAGE") ?? "" }
        #expect(stored.map(\.utf8.count) == messages.map(\.utf8.count))
        #expect(stored == messages)
        #expect(setup.fallback.records.isEmpty)
    }

    @Test func `odd and colliding names of attributes lose no value`() throws {
        let setup = try Setup("names")
        let long = String(repeating: "k", count: 200)
        let keys = [
            "message", "PRIORITY", "_pid", "9lives", "a.b", "a-b", "A_B", "ä", "", "=", "new\nline", "UNIT", long,
            long + "2",
            "errno",
        ]
        let attributes = keys.enumerated().map { LogValueEntry($1, .string("v\($0)")) }
        try setup.write([LogRecord(level: .info, message: "the message", attributes: attributes)])
        let entry = try #require(try setup.entries().first)
        #expect(entry.text("MESSAGE") == "the message" && entry.text("PRIORITY") == "6")
        let plain = [
            "F_MESSAGE": 0, "F_PRIORITY": 1, "F__PID": 2, "F_9LIVES": 3, "A_B": 4, "F___": 7, "F_": 8, "F__": 9,
            "NEW_LINE": 10, "F_UNIT": 11, "ERRNO": 14,
        ]
        for (name, index) in plain { #expect(entry.text(name) == "v\(index)", "\(name)") }
        for (start, index) in [("A_B_", 5), ("A_B_", 6), ("KKKK", 12), ("KKKK", 13)] {
            let name = entry.keys.first { $0.hasPrefix(start) && entry.text($0) == "v\(index)" }
            #expect((name?.utf8.count ?? 99) <= 64, "\(keys[index])")
        }
    }

    @Test func `a journald that hangs delays no call for long, and nothing is lost`() throws {
        let setup = try Setup("hung")
        try setup.write("before")
        var count = 0
        var (total, longest) = (Duration.zero, Duration.zero)
        // A busy machine delays a call now and then, the sink would do it each time.
        for _ in 0..<5 {
            setup.journald.suspend()
            let (start, kept) = (ContinuousClock.now, setup.fallback.records.count)
            longest = .zero
            // More than its socket takes (a dozen), until the patience is over and for a while longer.
            while setup.fallback.records.count < kept + 50 {
                let before = ContinuousClock.now
                try setup.write("hung \(count)")
                longest = max(longest, before.duration(to: .now))
                count += 1
            }
            total = start.duration(to: .now)
            setup.journald.resume()
            try setup.journald.wait("it goes back to journald") {
                try setup.write("hung \(count)")
                count += 1
                return setup.fallback.records.last?.message != "hung \(count - 1)"
            }
            if total < .seconds(10) && longest < .seconds(2) { break }
        }
        #expect(total < .seconds(10))
        #expect(longest < .seconds(2))
        #expect(try setup.allMessages() == ["before"] + (0..<count).map { "hung \($0)" })
    }

    @Test func `the file replaces a journald that is absent, stopped or restarted`() throws {
        let captured = CapturedDiagnostics()
        let setup = try Setup("stopped")
        try setup.write("one")
        setup.journald.stop()
        for number in 0..<100 { try setup.write("stopped \(number)") }
        #expect(setup.fallback.records.count == 100)
        unlink(setup.journald.socket)
        try setup.sink.reopen()
        try setup.write("absent")
        try setup.journald.start()
        var count = 0
        try setup.journald.wait("it goes back to journald") {
            try setup.write("back \(count)")
            count += 1
            return setup.fallback.records.last?.message != "back \(count - 1)"
        }
        try setup.write("last")
        #expect(
            try setup.allMessages() == ["one"] + (0..<100).map { "stopped \($0)" } + ["absent"]
                + (0..<count).map { "back \($0)" } + ["last"])
        let said = captured.lines(with: setup.journald.namespace)
        #expect(said.count == 2)
        #expect(said.first?.hasSuffix("Connection refused; writing records to memory until it recovers") == true)
        #expect(said.last?.hasSuffix("has recovered; \(100 + count) records are in memory") == true)
    }

    @Test func `without a fallback the records stay with the queue`() throws {
        let setup = try Setup("bare", fallback: false)
        setup.journald.stop()
        var buffer = RecordBuffer(run: setup.run)
        buffer.append(LogRecord(level: .info, message: "waits"))
        let error = #expect(throws: SinkError.self) {
            try buffer.withBatch { batch throws(SinkError) in try setup.sink.write(batch) }
        }
        #expect(error?.kind == .temporary && error?.taken == 0)
        try setup.journald.start()
        try setup.write("waits")
        #expect(try setup.allMessages() == ["waits"])
    }
}
#endif
