#if HTTP
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery
@testable import TaffrailGeo
@testable import TaffrailHTTPRemote

/// systemd's own receiver of journals.
@Suite(.mayBlock) struct JournalRemoteTests {
    private static let program = "/lib/systemd/systemd-journal-remote"
    private static var isInstalled: Bool {
        FileManager.default.isExecutableFile(atPath: program) && Program.areThere("journalctl")
    }

    private static func start(_ folder: TemporaryDirectory, port: UInt16) throws -> Program {
        try Program(
            [
                "--split-mode=none", "--listen-http=127.0.0.1:\(port)", "--output=\(folder.file("remote.journal"))",
            ], of: program, in: folder)
    }

    private static func sink(_ folder: TemporaryDirectory, port: UInt16) -> HTTPRemoteSink {
        var options = HTTPRemoteOptions(url: "http://127.0.0.1:\(port)/upload")
        options.encoding = .journal
        options.delay = .zero
        options.drain = .zero
        options.longestRetry = .milliseconds(50)
        options.resource = ["deployment.environment.name": "sea", "host.name": "deck"]
        let sink = HTTPRemoteSink(
            options, instance: PluginInstance(name: "http", logDirectory: folder.path, program: "ferry"))
        sink.attach(.none)
        return sink
    }

    private static func write(_ records: [LogRecord], to sink: HTTPRemoteSink) throws {
        var buffer = RecordBuffer(run: RingID(0xABCD), start: (records.first?.sequence ?? 0) << 16)
        for record in records { buffer.append(record) }
        try buffer.withBatch { batch throws(SinkError) in try sink.write(batch) }
    }

    private static func record(_ number: Int, _ message: String) -> LogRecord {
        LogRecord(
            timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(number) * 1000),
            sequence: UInt64(number), run: RingID(0xABCD), level: .info, message: message)
    }

    /// What journalctl finds, in its order; a field that is not text is a list of bytes. The receiver begins another file when
    /// times go back.
    private static func entries(_ folder: TemporaryDirectory, _ matches: String...) throws -> [[String: Any]] {
        let result = try Program.run(
            ["--file", folder.file("*.journal"), "-o", "json", "--all", "--quiet"] + matches, of: "journalctl")
        return result.output.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
        }
    }

    private static func count(_ folder: TemporaryDirectory) -> Int { (try? entries(folder).count) ?? 0 }

    @Test(.enabled(if: JournalRemoteTests.isInstalled, "systemd-journal-remote is not installed"))
    func `systemd-journal-remote stores every record with all fields, and journalctl finds it`() async throws {
        let folder = TemporaryDirectory()
        let reserved = try ReservedPort()
        defer { withExtendedLifetime(reserved) {} }
        let port = UInt16(reserved.number)
        let sink = Self.sink(folder, port: port)
        var first = OTLPTests.record
        first.sequence = 1
        first.attributes += [
            LogValueEntry("raw", .bytes([0, 10, 255, 61])), LogValueEntry("_private", "x"),
            LogValueEntry("message", "y"),
            LogValueEntry("empty", ""), LogValueEntry(String(repeating: "long.", count: 20), "z"),
        ]
        // Times that a journal has no space for, and more fields than it takes.
        var early = Self.record(2, "before 1970")
        early.timestamp = Timestamp(nanoseconds: -5)
        var wide = Self.record(3, "wide")
        wide.attributes = (0..<1200).map { LogValueEntry("a\($0)", .int(Int64($0))) }
        try Self.write([first, early, wide], to: sink)
        try Self.write((4...500).map { Self.record($0, "record \($0)") }, to: sink)
        let receiver = try Self.start(folder, port: port)
        defer { receiver.kill() }
        #expect(await eventually { Self.count(folder) == 500 }, "\(folder.text("errors"))")
        try sink.close()

        let found = try Self.entries(folder, "TAFFRAIL_RUN=000000000000abcd")
        let numbers = found.compactMap { ($0["TAFFRAIL_SEQ"] as? String).flatMap { Int($0) } }
        #expect(Set(numbers) == Set(1...500) && numbers.filter { $0 > 3 } == Array(4...500))
        let entry = try #require(try Self.entries(folder, "TAFFRAIL_SEQ=1").first)
        let expected = [
            "MESSAGE": "left \"pier\" 4\n⚓️", "PRIORITY": "5", "SYSLOG_IDENTIFIER": "ferry", "LEVEL": "notice",
            "LOGGER": "net.http", "EVENT": "geo.location", "CODE_FILE": "Ferry/Pier.swift", "CODE_LINE": "7",
            "CODE_FUNC": "leave()", "TRACE_ID": "0102030405060708090a0b0c0d0e0f10", "SPAN_ID": "1112131415161718",
            "TAFFRAIL_TIME": "1767623400123456789", "__REALTIME_TIMESTAMP": "1767623400123456", "_HOSTNAME": "deck",
            "_BOOT_ID": "000000000000abcd000000000000abcd", "DEPLOYMENT_ENVIRONMENT_NAME": "sea", "TEXT": "a\\b",
            "NUMBER": "-7", "LARGE": "9223372036854775807", "REAL": "2.5", "FLAG": "true", "F__PRIVATE": "x",
            "F_MESSAGE": "y", "EMPTY": "",
        ]
        for (name, value) in expected { #expect(entry[name] as? String == value, "\(name): \(entry[name] ?? "")") }
        #expect(entry["RAW"] as? [Int] == [0, 10, 255, 61] && entry["BYTES"] as? [Int] == [0, 255])
        #expect(entry.contains { $0.key.hasPrefix("LONG_LONG_") && $0.value as? String == "z" })
        #expect(entry["DEVICE_ID"] as? String == DeviceID.machine)
        let last = try #require(try Self.entries(folder, "TAFFRAIL_SEQ=3").first)
        #expect(last["A0"] as? String == "0" && last["A990"] as? String == "990")
        #expect(SpoolCursorFile.read(directory: folder.file(".taffrail/http.spool"))?.flying == nil)
    }

    @Test(.enabled(if: JournalRemoteTests.isInstalled, "systemd-journal-remote is not installed"))
    func `an outage of systemd-journal-remote loses and repeats nothing`() async throws {
        let folder = TemporaryDirectory()
        let reserved = try ReservedPort()
        defer { withExtendedLifetime(reserved) {} }
        let port = UInt16(reserved.number)
        let sink = Self.sink(folder, port: port)
        for round in 0..<3 {
            let receiver = try Self.start(folder, port: port)
            try Self.write((1...50).map { Self.record(round * 100 + $0, "up \($0)") }, to: sink)
            #expect(await eventually { Self.count(folder) == round * 100 + 50 }, "\(folder.text("errors"))")
            // Until it is there, what was sent waits for its confirmation.
            #expect(
                await eventually { (try? SpoolInspection(folder.file(".taffrail/http.spool")).summary().records) == 0 })
            receiver.send(SIGTERM)
            await receiver.wait()
            try Self.write((51...100).map { Self.record(round * 100 + $0, "down \($0)") }, to: sink)
        }
        let receiver = try Self.start(folder, port: port)
        defer { receiver.kill() }
        #expect(await eventually { Self.count(folder) == 300 }, "\(folder.text("errors"))")
        try sink.close()
        let numbers = try Self.entries(folder).compactMap { ($0["TAFFRAIL_SEQ"] as? String).flatMap { Int($0) } }
        #expect(numbers == Array(1...300))
    }
}
#endif
