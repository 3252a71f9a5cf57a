#if Command
import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailTransport

@Suite(.mayBlock) struct RecordCommandTests {
    let folder: TemporaryDirectory

    init() throws { folder = TemporaryDirectory() }

    private var arguments: [String] { ["--directory", folder.file("drives")] }

    @Test func `a receiver's log is recorded completely`() async throws {
        try folder.write(Receiver.sentences(0..<120), to: "log.nmea")
        let (code, output, _) = try await Program.run(
            ["record", "--from", "nmea:\(folder.file("log.nmea"))"] + arguments, in: folder)
        #expect(code == 0)
        let events = try folder.events("drives")
        #expect(events.count == 120 && events.allSatisfy { $0.location != nil })
        #expect(output == folder.file("drives") + "/" + folder.recordings("drives")[0] + "\n")
        #expect(folder.text("errors").isEmpty)
    }

    @Test(arguments: [("2000m", 1), ("0", 30), ("1", 30)])
    func `positions nearer than --min-move to the last one are left out`(distance: String, count: Int) async throws {
        // 1.9 m apart.
        try folder.write(Receiver.sentences(0..<30), to: "log.nmea")
        let (code, _, _) = try await Program.run(
            ["record", "--from", "nmea:\(folder.file("log.nmea"))", "--min-move", distance] + arguments, in: folder)
        #expect(code == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == count)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `a signal finishes the file`(signal: Int32) async throws {
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        defer { server.close(timeout: .zero) }
        let command = try Program(["record", "--from", "nmea:tcp://127.0.0.1:\(server.port)"] + arguments, in: folder)
        #expect(await eventually { server.clientCount == 1 })
        server.send(Array(Receiver.sentences(0..<10).utf8))
        #expect(await eventually { folder.count("drives") >= 9 })
        command.send(signal)
        #expect(await command.wait() == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == 10)
        // The space reserved after the end of the current file is gone.
        #expect(folder.text("drives/" + folder.recordings("drives")[0]).hasSuffix("}\n"))
    }

    @Test(
        .enabled(if: FailingWrites.compiler != nil, "no C compiler is installed"),
        arguments: [
            ("gpsd://ferry.example", SIGINT), ("gpsd://ferry.example", SIGTERM),
            ("nmea:tcp://ferry.example:10110", SIGTERM), ("nmea:udp://ferry.example:10110", SIGTERM),
        ])
    func `a signal ends it also while the host is being looked up`(source: String, signal: Int32) async throws {
        let command = try Program(
            ["record", "--from", source] + arguments, in: folder,
            environment: [
                "LD_PRELOAD": try await BlockedLookups.library(in: folder), "NOTE_LOOKUP": folder.file("lookup"),
            ])
        defer { command.kill() }
        #expect(await eventually { folder.names.contains("lookup") })
        command.send(signal)
        try #require(await eventually { !command.isRunning })
        // No position has arrived.
        #expect(await command.wait() == 69)
    }

    @Test func `it ends after its duration`() async throws {
        // A client that connects gets everything at once, but not again when it connects once more after a silence. On a busy
        // machine it takes a while to come.
        let sentences = Locked(Array(Receiver.sentences(0..<5).utf8))
        let server = try StreamServer(
            host: "127.0.0.1", port: 0,
            handlers: .init(joined: { _ in
                sentences.withLock { sentences in
                    defer { sentences = [] }
                    return sentences
                }
            }))
        defer { server.close(timeout: .zero) }
        let command = try Program(
            ["record", "--from", "nmea:tcp://127.0.0.1:\(server.port)", "--duration", "20s"] + arguments, in: folder)
        #expect(await command.wait() == 0)
        #expect(try folder.events("drives").compactMap(\.location).count == 5)
    }

    @Test func `a lost receiver is a gap`() async throws {
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        let command = try Program(["record", "--from", "nmea:tcp://127.0.0.1:\(server.port)"] + arguments, in: folder)
        #expect(await eventually { server.clientCount == 1 })
        server.send(Array(Receiver.sentences(0..<5).utf8))
        // The event after each position; silence may be an error too if the test itself is delayed.
        let parts = {
            let name = folder.recordings("drives").first ?? ""
            return folder.text("drives/\(name)").components(separatedBy: "\"type\":\"location\"")
        }
        #expect(await eventually { parts().count == 6 })
        server.close()
        #expect(await eventually { parts().last?.contains("\"type\":\"error\"") == true })
        command.send(SIGTERM)
        #expect(await command.wait() == 0)
        let events = try folder.events("drives")
        #expect(events.compactMap(\.location).count == 5 && events.last?.error?.code == 0)
    }

    @Test func `without a directory it records in the program's state directory`() async throws {
        try folder.write(Receiver.sentences(0..<5), to: "log.nmea")
        let (code, output, _) = try await Program.run(
            ["record", "--from", "nmea:\(folder.file("log.nmea"))"], in: folder,
            environment: ["XDG_STATE_HOME": folder.path])
        #expect(code == 0)
        let name = try #require(folder.recordings("taffrail/recordings").first)
        #expect(output == folder.file("taffrail/recordings/\(name)\n"))
    }

    @Test func `failures are reported with their exit statuses`() async throws {
        let record = { (from: String, directory: String) async throws in
            try await Program.run(["record", "--from", from, "--directory", directory], in: folder).code
        }
        #expect(try await record("ferry", folder.file("drives")) == 64)
        #expect(try await record("nmea:\(folder.file("none.nmea"))", folder.file("drives")) == 66)
        try folder.write(Receiver.sentences(0..<3), to: "log.nmea")
        // A directory cannot be created in place of a file.
        #expect(try await record("nmea:\(folder.file("log.nmea"))", folder.file("log.nmea")) == 73)
        let errors = folder.text("errors")
        #expect(errors.contains("none.nmea") && errors.contains("--from must be gpsd://HOST:PORT"))
    }

    /// Records from a source of NMEA, with a terminal for errors.
    private func record(from source: String, to terminal: Terminal) throws -> Program {
        // `script` would do the same, with a shell between.
        try Program(
            [
                "-c",
                "exec \"$0\" record --from nmea:\(source) --directory \(folder.file("drives")) 2>\(terminal.path)",
                Program.products + "/taffrail",
            ], of: "/bin/sh", in: folder)
    }

    @Test func `progress is shown on a terminal`() async throws {
        let terminal = try Terminal()
        try folder.write(Receiver.sentences(0..<30), to: "log.nmea")
        let command = try record(from: folder.file("log.nmea"), to: terminal)
        var shown: [UInt8] = []
        #expect(
            await eventually {
                shown += terminal.read()
                return String(decoding: shown, as: UTF8.self).contains("\n")
            })
        #expect(await command.wait() == 0)
        let line = String(decoding: shown, as: UTF8.self)
        for part in ["30 fixes", "/s", "±", "0:00:", "B  geo_log_"] { #expect(line.contains(part), "\(line)") }
    }

    @Test func `the reason for waiting is printed, and no position at all is an exit status`() async throws {
        let port = try ReservedPort()
        defer { withExtendedLifetime(port) {} }
        let command = try Program(
            ["record", "--from", "gpsd://127.0.0.1:\(port.number)"] + arguments, in: folder)
        let reason = "waiting for gpsd at 127.0.0.1:\(port.number): connection refused"
        #expect(await eventually { folder.text("errors").contains(reason) })
        command.send(SIGTERM)
        #expect(await command.wait() == 69)
        #expect(folder.text("errors").contains("no position was received: \(reason)"))
        #expect(folder.text("output").split(separator: "\n").allSatisfy { $0.hasSuffix(".json") })
    }

    @Test func `a log without a position is an exit status`() async throws {
        let void = Receiver.checked("GPRMC,143000.00,V,,,,,,,050126,,,N")
        try folder.write(void + void, to: "log.nmea")
        let (code, _, errors) = try await Program.run(
            ["record", "--from", "nmea:\(folder.file("log.nmea"))"] + arguments, in: folder)
        #expect(code == 69 && errors.contains("no position was received: no fix from"))
    }

    @Test func `the reason for waiting is on the terminal`() async throws {
        let terminal = try Terminal()
        let command = try record(from: "tcp://127.0.0.1:1", to: terminal)
        var shown: [UInt8] = []
        #expect(
            await eventually {
                shown += terminal.read()
                return String(decoding: shown, as: UTF8.self).contains(
                    "(waiting for tcp://127.0.0.1:1: connection refused)")
            })
        command.send(SIGTERM)
        #expect(await command.wait() == 69)
    }

    @Test func `a deleted recording is started again, counted, and an exit status`() async throws {
        let server = try StreamServer(host: "127.0.0.1", port: 0)
        defer { server.close(timeout: .zero) }
        let command = try Program(["record", "--from", "nmea:tcp://127.0.0.1:\(server.port)"] + arguments, in: folder)
        #expect(await eventually { server.clientCount == 1 })
        server.send(Array(Receiver.sentences(0..<10).utf8))
        #expect(await eventually { folder.count("drives") >= 9 })
        try FileManager.default.removeItem(atPath: folder.file("drives"))
        server.send(Array(Receiver.sentences(10..<20).utf8))
        #expect(await eventually { folder.count("drives") >= 9 })
        command.send(SIGTERM)
        #expect(await command.wait() == 74)
        let errors = folder.text("errors")
        #expect(errors.contains("was deleted during writing: "), "\(errors)")
        #expect(errors.contains(" events were in recordings that were deleted"), "\(errors)")
        #expect(folder.text("output").split(separator: "\n").count == 1)
    }
}
#endif
