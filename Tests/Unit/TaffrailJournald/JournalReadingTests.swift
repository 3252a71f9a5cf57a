#if Journald
import Foundation
import Glibc
import Taffrail
import TaffrailJournald
import TaffrailTesting
import TaffrailTestSupport
import Testing

/// Reading the sink's records: with journalctl as documented, and with `taffrail tail`.
@Suite(
    .mayBlock, .serialized,
    .enabled(if: PrivateJournald.isPossible, "a private journald needs root and systemd-journald"))
struct JournalReadingTests {
    private static let top = Repository.root

    /// A journal with the records of one program.
    private static func journal(_ name: String, records: [LogRecord], as program: String = "ferry") throws
        -> PrivateJournald
    {
        let journald = try PrivateJournald(name)
        let options = JournaldOptions(identifier: program, socket: journald.socket)
        let fallback = MemorySink()
        let sink = JournaldSink(options, name: "journald", program: program, fallbackName: "memory") {
            () throws(SinkError) in fallback
        }
        try write(records, to: sink)
        try synchronize(journald)
        return journald
    }

    private static func write(_ records: [LogRecord], to sink: JournaldSink) throws {
        var buffer = RecordBuffer(run: RingID(7))
        for (number, record) in records.enumerated() {
            var record = record
            record.sequence = UInt64(number + 1)
            buffer.append(record)
        }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    private static func synchronize(_ journald: PrivateJournald) throws {
        let sync = try run("journalctl --namespace=\(journald.namespace) --sync")
        #expect(sync == [])
    }

    /// The output of a shell command.
    private static func run(_ command: String) throws -> [String] {
        let result = try Program.run(
            ["-c", command], of: "sh", environment: ["TZ": "UTC", "LC_ALL": "C.UTF-8"])
        return result.output.split(separator: "\n").map(String.init)
    }

    private static let records = [
        LogRecord(level: .debug, message: "sounding", logger: "depth"),
        LogRecord(
            level: .info, message: "left pier", eventName: "ship.left", attributes: [LogValueEntry("pier", 3)],
            logger: "net.http"),
        LogRecord(level: .notice, message: "fog", attributes: [LogValueEntry("pier", 4)], logger: "net"),
        LogRecord(level: .warning, message: "ice"),
        LogRecord(level: .error, message: "rock"),
    ]

    /// The expected output of each documented command line.
    private static let shown: [String: [String]] = [
        "journalctl -t ferry": ["sounding", "left pier", "fog", "ice", "rock"],
        "journalctl -t ferry -p warning": ["ice", "rock"],
        "journalctl -t ferry LEVEL=notice": ["fog"],
        "journalctl -t ferry LOGGER=net.http": ["left pier"],
        "journalctl -t ferry PIER=3": ["left pier"],
        "journalctl -t ferry EVENT=ship.left": ["left pier"],
        "journalctl -t ferry -b": ["sounding", "left pier", "fog", "ice", "rock"],
        "journalctl -t ferry -f": ["sounding", "left pier", "fog", "ice", "rock"],
        "journalctl -t ferry -o json --all": ["sounding", "left pier", "fog", "ice", "rock"],
        "journalctl -t ferry --since -10m": ["sounding", "left pier", "fog", "ice", "rock"],
    ]

    /// The lines that a document shows.
    private static func lines(in document: String) throws -> [String] {
        let text = try String(contentsOf: top.appending(path: document), encoding: .utf8)
        return text.replacing("\\-", with: "-").split(separator: "\n").compactMap { line in
            guard let start = line.range(of: "journalctl -t ") else { return nil }
            let rest = line[start.lowerBound...]
            return (rest.range(of: "  ").map { rest[..<$0.lowerBound] } ?? rest).trimmingCharacters(in: .whitespaces)
        }
    }

    @Test func `every journalctl line of the plugin's README and the man page works`() throws {
        let journald = try Self.journal("lines", records: Self.records)
        let lines = try Self.lines(in: "Plugins/Sinks/Journald/README.md")
        #expect(try Self.lines(in: "man/taffrail.1") == lines)
        #expect(Set(lines) == Set(Self.shown.keys))
        for line in lines {
            var command = line + " --namespace=\(journald.namespace)"
            // Following has no end: it is stopped after the expected number of lines.
            if line.hasSuffix(" -f") { command = "timeout 60 \(command) | head -n 5" }
            let printed = try Self.run(command).filter { !$0.hasPrefix("--") }
            let expected = try #require(Self.shown[line])
            #expect(printed.count == expected.count, "\(line)")
            for (text, message) in zip(printed, expected) { #expect(text.contains(message), "\(line)") }
            if line.contains("json") {
                for text in printed { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
            }
        }
    }

    @Test func `get-logs pulls the journal, and follows it`() async throws {
        let journald = try Self.journal("pull", records: Self.records)
        let folder = TemporaryDirectory()
        let source = "journal:ferry@\(journald.namespace)"
        let pull = "cd '\(folder.path)' && '\(Self.top.path)/get-logs' journal:"
        let messages = Self.records.map(\.message)
        func check(_ arguments: String, file: [String], shown: [String]? = nil) throws {
            let printed = try Self.run("\(pull)ferry@\(journald.namespace) \(arguments)")
            let lines = folder.text("app.log").split(separator: "\n").map(String.init)
            #expect(lines.compactMap { $0.split(separator: "]: ").last.map(String.init) } == file, "\(arguments)")
            #expect(printed == Array(lines.suffix(shown?.count ?? lines.count)), "\(arguments)")
            for line in lines { #expect(line.contains(" ferry["), "\(line)") }
        }
        try check("", file: messages)
        try check("-n 2", file: messages, shown: Array(messages.suffix(2)))
        try check("--level warning --since 10m", file: ["ice", "rock"])
        try check("--level notice --since yesterday", file: ["fog", "ice", "rock"])
        #expect(try Self.run("\(pull)tug@\(journald.namespace); echo $?") == ["66"])
        #expect(try Self.run("\(pull)ferry@\(journald.namespace) --since 2099-01-01; echo $?") == ["66"])
        // Missing permission is reported, and the previously pulled log is kept.
        let lesser = "setpriv --reuid=65534 --clear-groups /bin/sh -s -- journal:ferry@\(journald.namespace)"
        chmod(folder.path, 0o777)
        let denied = "cd '\(folder.path)' && \(lesser) -o denied.log < '\(Self.top.path)/get-logs' 2>&1; echo $?"
        #expect(
            try Self.run(denied) == [
                "No journal files were opened due to insufficient permissions.",
                "get-logs: journal:ferry@\(journald.namespace): no permission to read the journal", "77",
            ])
        // The last existing lines, then new ones; the writer starts once the reader has printed the former.
        let follow = "cd '\(folder.path)' && exec '\(Self.top.path)/get-logs' \(source) -f -n 1 -o out.log"
        let process = try Program(["-c", follow], of: "sh", in: folder, output: "shown")
        #expect(await eventually { folder.text("shown").hasSuffix("]: rock\n") })
        let options = JournaldOptions(identifier: "ferry", socket: journald.socket)
        let sink = JournaldSink(options, name: "journald", program: "ferry", fallbackName: "memory") {
            () throws(SinkError) in MemorySink()
        }
        try Self.write([LogRecord(level: .info, message: "aground")], to: sink)
        #expect(await eventually { folder.text("shown").hasSuffix("]: aground\n") })
        process.send(SIGTERM)
        #expect(process.end() == .exited(143))
        #expect(folder.text("out.log").split(separator: "\n").count == 6)
    }

    private static var taffrail: String { Program.products + "/taffrail" }

    @Test func `taffrail tail merges the journal with files`() throws {
        let start: Int64 = 1_767_623_400_000_000_000
        let records = (0..<3).map { number in
            LogRecord(
                timestamp: Timestamp(nanoseconds: start + 2_000_000_000 * Int64(number)), level: .warning,
                message: "journal \(number)", eventName: "e", attributes: [LogValueEntry("pier", 3)], logger: "net")
        }
        let journald = try Self.journal("tail", records: records)
        let folder = TemporaryDirectory()
        let file = folder.file("app.log")
        let text = (0..<3).map { "[2026-01-05 14:30:0\(2 * $0 + 1).000] [INFO] file \($0)\n" }.joined()
        try folder.write(text, to: "app.log")
        let journal = "journal:ferry@\(journald.namespace)"
        let merged = try Self.run("'\(Self.taffrail)' tail --no-prefix \(journal) '\(file)'")
        #expect(
            merged == [
                "[2026-01-05 14:30:00.000] [WARNING] journal 0 pier=3 event=e logger=net",
                "[2026-01-05 14:30:01.000] [INFO] file 0",
                "[2026-01-05 14:30:02.000] [WARNING] journal 1 pier=3 event=e logger=net",
                "[2026-01-05 14:30:03.000] [INFO] file 1",
                "[2026-01-05 14:30:04.000] [WARNING] journal 2 pier=3 event=e logger=net",
                "[2026-01-05 14:30:05.000] [INFO] file 2",
            ])
        let last = try Self.run("'\(Self.taffrail)' tail -n 1 --logger net --format json \(journal)")
        #expect(last.count == 1)
        #expect(last.first?.hasPrefix("{\"time\":\"2026-01-05T14:30:04.000000000Z\",\"level\":\"warning\"") == true)
        #expect(last.first?.hasSuffix("\"seq\":3,\"run\":\"0000000000000007\"}") == true, "\(last)")
        #expect(try Self.run("'\(Self.taffrail)' tail --level error \(journal)") == [])
        let prefixed = try Self.run("'\(Self.taffrail)' tail -n 1 --level warning \(journal) '\(file)'")
        #expect(
            prefixed.first?.hasPrefix("\(journal) | [2026-01-05 14:30:04.000] [WARNING] journal 2") == true,
            "\(prefixed)")
        // An identifier without entries is reported; an invalid name is refused.
        let unknown = try Self.run("'\(Self.taffrail)' tail journal:tug@\(journald.namespace) 2>&1; echo $?")
        #expect(unknown.count == 2 && unknown.first?.contains("no entry with this identifier") == true)
        #expect(unknown.last == "66")
        #expect(try Self.run("'\(Self.taffrail)' tail journal:@x; echo $?") == ["66"])
    }

    @Test func `taffrail tail follows the journal`() async throws {
        let journald = try Self.journal("follow", records: [LogRecord(level: .info, message: "first")])
        let folder = TemporaryDirectory()
        let process = try Program(["tail", "-f", "journal:ferry@\(journald.namespace)"], in: folder)
        #expect(await eventually { folder.text("output").hasSuffix("first\n") })
        let options = JournaldOptions(identifier: "ferry", socket: journald.socket)
        let sink = JournaldSink(options, name: "journald", program: "ferry", fallbackName: "memory") {
            () throws(SinkError) in MemorySink()
        }
        try Self.write([LogRecord(level: .info, message: "second")], to: sink)
        #expect(await eventually { folder.text("output").hasSuffix("second\n") })
        process.kill()
    }
}
#endif
