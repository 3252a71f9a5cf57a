import Glibc
import Taffrail
import TaffrailConsole
import Testing

@Suite(.serialized) struct ConsoleSinkTests {
    /// Two ends of something that bytes go through.
    private final class Channel {
        let reading: CInt
        let writing: CInt

        init(reading: CInt, writing: CInt) {
            self.reading = reading
            self.writing = writing
        }

        static func pipe() -> Channel {
            var ends: [CInt] = [0, 0]
            Glibc.pipe(&ends)
            return Channel(reading: ends[0], writing: ends[1])
        }

        /// A pseudo-terminal that passes newlines as they are.
        static func terminal() throws -> Channel {
            let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var unlock: CInt = 0
            var number: CInt = 0
            // TIOCSPTLCK and TIOCGPTN, which glibc declares for GNU sources only.
            try #require(ioctl(master, 0x4004_5431, &unlock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
            let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(slave >= 0)
            var settings = termios()
            tcgetattr(slave, &settings)
            cfmakeraw(&settings)
            tcsetattr(slave, TCSANOW, &settings)
            return Channel(reading: master, writing: slave)
        }

        func read() -> String {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = Glibc.read(reading, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        deinit {
            close(reading)
            close(writing)
        }
    }

    private func write(
        _ records: [LogRecord], _ options: ConsoleOptions, to channel: Channel, environment: [String: String] = [:]
    ) throws {
        let sink = ConsoleSink(options, name: "console", descriptor: channel.writing) { environment[$0] }
        var buffer = RecordBuffer()
        for record in records { buffer.append(record) }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    static let moment = Timestamp(nanoseconds: 1_767_623_400_123_000_000)
    static let record = LogRecord(
        timestamp: moment, level: .warning, message: "low\n\u{1B}[31mfuel", attributes: [LogValueEntry("litres", 3)])

    @Test func `a pipe gets plain lines`() throws {
        let channel = Channel.pipe()
        try write(
            [Self.record, LogRecord(timestamp: Self.moment, level: .info, message: "x")], ConsoleOptions(time: .utc),
            to: channel)
        #expect(
            channel.read()
                == "[2026-01-05 14:30:00.123] [WARNING] low\\n\\u{1b}[31mfuel litres=3\n[2026-01-05 14:30:00.123] [INFO] x\n"
        )
    }

    @Test func `a terminal gets coloured levels, unless disabled`() throws {
        let channel = try Channel.terminal()
        let colored = "[2026-01-05 14:30:00.123] [\u{1B}[33mWARNING\u{1B}[0m] low\\n\\u{1b}[31mfuel litres=3\n"
        let plain = "[2026-01-05 14:30:00.123] [WARNING] low\\n\\u{1b}[31mfuel litres=3\n"
        let cases: [([String: String], ConsoleOptions.When, String)] = [
            (["TERM": "xterm"], .auto, colored), (["TERM": "xterm"], .never, plain),
            (["TERM": "xterm", "NO_COLOR": "1"], .auto, plain), (["TERM": "dumb"], .auto, plain),
            (["NO_COLOR": "1"], .always, colored),
        ]
        for (environment, color, expected) in cases {
            try write(
                [Self.record], ConsoleOptions(color: color, time: .utc), to: channel, environment: environment)
            #expect(channel.read() == expected, "\(environment) \(color)")
        }
    }

    @Test func `JSON is a plain object a line, on a terminal and for journald too`() throws {
        let channel = try Channel.terminal()
        let options = ConsoleOptions(format: .json, color: .always, priority: .always)
        #expect(options.stream == .stdout)
        try write([Self.record], options, to: channel, environment: ["TERM": "xterm"])
        let line = channel.read()
        let start = #"<4>{"time":"2026-01-05T14:30:00.123000000Z","level":"warning","message":"low\n"#
        #expect(line.hasPrefix(start), "\(line)")
        #expect(line.contains(#""attributes":{"litres":3}"#))
        #expect(line.hasSuffix("}\n"))
        #expect(line.count { $0 == "\n" } == 1)
        #expect(!line.contains("\u{1B}"))
        #expect(ConsoleSink(ConsoleOptions(format: .json)).destinations == ["stdout"])
        #expect(ConsoleOptions(format: .json, stream: .stderr).stream == .stderr)
        #expect(ConsoleOptions().stream == .stderr)
    }

    @Test func `a stream that goes to journald gets priorities and no times`() throws {
        let channel = Channel.pipe()
        var info = stat()
        fstat(channel.writing, &info)
        let environment = ["JOURNAL_STREAM": "\(info.st_dev):\(info.st_ino)"]
        try write(
            Level.allCases.map { LogRecord(level: $0, message: "m") }, ConsoleOptions(), to: channel,
            environment: environment)
        #expect(
            channel.read()
                == "<7>[TRACE] m\n<7>[DEBUG] m\n<6>[INFO] m\n<5>[NOTICE] m\n<4>[WARNING] m\n<3>[ERROR] m\n<2>[CRITICAL] m\n"
        )
        let other = Channel.pipe()
        try write(
            [LogRecord(timestamp: Self.moment, level: .info, message: "m")], ConsoleOptions(time: .utc), to: other,
            environment: environment)
        #expect(other.read() == "[2026-01-05 14:30:00.123] [INFO] m\n")
    }

    @Test func `records below the level of its entry are accepted and not printed`() throws {
        let channel = Channel.pipe()
        let options = ConsoleOptions(color: .never, priority: .always)
        let sink = ConsoleSink(options, name: "console", descriptor: channel.writing).filtered(level: .warning)
        var buffer = RecordBuffer()
        for level in [Level.info, .error, .debug] { buffer.append(LogRecord(level: level, message: level.name)) }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
        #expect(channel.read() == "<3>[ERROR] error\n")
    }

    @Test func `without a reader, written records count and the rest is reported as not taken`() throws {
        let channel = Channel.pipe()
        // The default capacity of a pipe on Linux.
        let length = 65_536
        _ = fcntl(channel.writing, F_SETFL, O_NONBLOCK)
        let message = String(repeating: "x", count: 1000)
        let count = length / 500
        let error = #expect(throws: SinkError.self) {
            try write(
                (0..<count).map { _ in LogRecord(level: .info, message: message) }, ConsoleOptions(priority: .always),
                to: channel)
        }
        #expect(error?.kind == .temporary)
        let taken = try #require(error?.taken)
        var text = ""
        while text.utf8.count < length - 4096 { text += channel.read() }
        #expect(taken > 0 && taken < count)
        #expect(text.filter { $0 == "\n" }.count == taken)
    }
}
