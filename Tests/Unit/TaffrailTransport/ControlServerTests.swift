import Foundation
import Glibc
import Synchronization
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailTransport

@Suite(.mayBlock) struct ControlServerTests {
    /// Echoes the request.
    private static func echo(_ plugin: String?, _ command: ControlCommand) throws -> ControlCommand.Answer {
        if command.name == "fail" { throw OptionError("fail", "as asked") }
        return ControlCommand.Answer([
            LogValueEntry("plugin", .string(plugin ?? "none")), LogValueEntry("command", .string(command.name)),
            LogValueEntry("arguments", .map(command.arguments)),
        ])
    }

    @Test(arguments: [
        ("nonsense", "an unknown word instead of a value"), ("[]", "expected a command as an object"),
        ("{\"command\":1}", "expected a string or null"),
        ("{\"command\":\"a\"} {}", "instead of the end"), ("{\"command\":\"fail\"}", "fail: as asked"),
        ("{\"command\":\"a\"", "end"), ("\u{1}{}", "byte 1 instead of a value"),
        ("{\"a\":\u{fffd}}", "byte 239 instead of a value"),
    ]) func `bad input is answered with the problem`(line: String, reason: String) throws {
        let answer = String(decoding: ControlServer.answer(Array(line.utf8), Self.echo), as: UTF8.self)
        #expect(answer.hasPrefix("{\"ok\":false,\"error\":\"") && answer.hasSuffix("\"}\n"))
        #expect(answer.filter { $0 == "\n" }.count == 1)
        #expect(answer.contains(reason), "\(answer)")
    }

    @Test func `a command reaches its plugin with its arguments, and is answered`() throws {
        let folder = TemporaryDirectory()
        let path = folder.file("run.control")
        let server = try ControlServer(socket: path, handler: Self.echo)
        defer { server.close() }
        let client = try ControlClient(socket: path)
        let arguments = [LogValueEntry("text", "a;b \"c\"\n"), LogValueEntry("list", [1, ["x": 2.5]])]
        let (answer, _) = try client.ask(ControlCommand("do", arguments), of: "pinger", timeout: .seconds(60))
        #expect(
            answer
                == ControlCommand.Answer([
                    LogValueEntry("plugin", "pinger"), LogValueEntry("command", "do"),
                    LogValueEntry("arguments", .map(arguments)),
                ]))
        #expect(
            try client.ask(ControlCommand("fail"), timeout: .seconds(60)).answer
                == ControlCommand.Answer(problem: "fail: as asked"))
    }

    @Test func `a line that is too long is answered, and the next one is obeyed`() throws {
        let folder = TemporaryDirectory()
        let path = folder.file("run.control")
        let server = try ControlServer(socket: path, handler: Self.echo)
        defer { server.close() }
        let client = try ControlClient(socket: path)
        let long = ControlCommand("do", [LogValueEntry("text", .string(String(repeating: "x", count: 10_000)))])
        #expect(
            try client.ask(long, timeout: .seconds(60)).answer.problem == "a command is limited to 4096 bytes")
        #expect(try client.ask(ControlCommand("do"), timeout: .seconds(60)).answer.problem == nil)
    }

    @Test func `a client that never reads delays neither others nor the end`() throws {
        let folder = TemporaryDirectory()
        let path = folder.file("run.control")
        let server = try ControlServer(socket: path) { _, _ in
            ControlCommand.Answer([LogValueEntry("text", .string(String(repeating: "x", count: 100_000)))])
        }
        let silent = try #require(LocalClient(path))
        var count = 0
        while count < 1_000, silent.send("{\"command\":\"do\"}") { count += 1 }
        let client = try ControlClient(socket: path)
        for _ in 0..<10 {
            #expect(try client.ask(ControlCommand("do"), timeout: .seconds(60)).answer.problem == nil)
        }
        server.close()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `handlers are registered by name, and the last one counts until it ends`() throws {
        let pipeline = Pipeline(sinks: [], queue: QueueOptions(durable: false, handleSignals: false))
        let first = pipeline.handleCommands(for: "simulated") { _ in ControlCommand.Answer([LogValueEntry("n", 1)]) }
        let second = pipeline.handleCommands(for: "simulated") { _ in ControlCommand.Answer([LogValueEntry("n", 2)]) }
        first.end()
        #expect(try pipeline.execute(ControlCommand("x"), by: "simulated").fields == [LogValueEntry("n", 2)])
        #expect(pipeline.commandedInstances == ["simulated"])
        let error = #expect(throws: OptionError.self) { try pipeline.execute(ControlCommand("x"), by: "pinger") }
        #expect(error?.description == "plugin: \"pinger\" does not accept commands; known: simulated")
        second.end()
        #expect(pipeline.commandedInstances == [])
    }
}
