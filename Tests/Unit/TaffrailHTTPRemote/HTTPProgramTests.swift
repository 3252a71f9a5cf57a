#if HTTP && Command && Configuration
import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailDelivery

/// The sink in a program that is traced, or forks, while a request is under way.
@Suite(.mayBlock) struct HTTPProgramTests {
    let folder = TemporaryDirectory()
    let held = HeldAnswers()
    let server: FaultServer
    private var spool: String { folder.file(".taffrail/http.spool") }

    init() throws {
        server = try FaultServer()
        let held = held
        server.reply { _ in
            held.wait()
            return .answer(200)
        }
    }

    private func subject(_ steps: String..., environment: [String: String] = [:]) throws -> Program {
        try Program.subject(
            ["steps-http", folder.file("app.log"), server.url] + steps, environment: environment,
            errors: folder.file("errors"))
    }

    /// The messages that have arrived, in order.
    private var messages: [String] { server.requests.flatMap(\.lines).compactMap { $0["message"] as? String } }

    @Test(.enabled(if: TracedCalls.compiler != nil, "no C compiler is installed"))
    func `when flush returns, records and cursor are synchronized, the cursor last`() async throws {
        let outside = TemporaryDirectory()
        let program = try subject(
            "log:100", "drain", "await:flying", "flush", "await:checked", "shutdown",
            environment: [
                "LD_PRELOAD": try TracedCalls.library(in: outside), "TRACE_CALLS": outside.file("trace"),
            ])
        #expect(program.readLine() == "drain true", "\(folder.text("errors"))")
        // From here on the cursor stays as it is: the end of the batch in flight is in it.
        #expect(await eventually { server.requests.count == 1 })
        #expect(SpoolCursorFile.read(directory: spool)?.flying != nil)
        try folder.write("", to: "flying")
        #expect(program.readLine() == "flush true")
        let calls = TracedCalls(outside.text("trace"))
        #expect(calls.calls.contains { $0.name == "write" && $0.path == spool + "/cursor" })
        let unsynchronized = calls.unsynchronized(under: spool) { _ in true }
        #expect(unsynchronized.count == 2 && unsynchronized.last == [], "\(unsynchronized)")
        let end = try #require(calls.calls.lastIndex { $0.name == "print" })
        let synchronized = calls.calls[..<end].filter { $0.name == "sync" && $0.path.hasPrefix(spool) }.map(\.path)
        #expect(synchronized.contains { $0.hasSuffix(".segment") } && synchronized.last == spool + "/cursor")
        held.release()
        try folder.write("", to: "checked")
        #expect(program.readLine() == "shutdown true")
        #expect(program.end() == .exited(0))
        #expect(messages == (1...100).map { "line \($0)" })
        // What is resolved at the end is, too.
        #expect(TracedCalls(outside.text("trace")).unsynchronized(under: spool) { _ in true }.last == [])
    }

    @Test func `a child that is forked during a request neither sends nor hangs, and the parent sends all`()
        async throws
    {
        let program = try subject(
            "log:200", "drain", "await:flying", "fork:100", "log:200", "drain", "await:forked", "shutdown")
        #expect(program.readLine() == "drain true", "\(folder.text("errors"))")
        #expect(await eventually { server.requests.count == 1 })
        try folder.write("", to: "flying")
        #expect(program.readLine() == "child 0", "\(folder.text("errors"))")
        #expect(program.readLine() == "drain true")
        // The parent's request is the only one, and is still under way.
        #expect(server.requests.count == 1)
        held.release()
        try folder.write("", to: "forked")
        #expect(program.readLine() == "shutdown true")
        #expect(program.end() == .exited(0))
        let lines = (1...400).map { "line \($0)" }
        #expect(messages == lines)
        #expect(Set(server.requests.map(\.key)).count == server.requests.count)
        // The child's are in its queue.
        let count = server.requests.count
        try folder.write(
            """
            plugins:
              file: { path: \(folder.file("app.log")) }
              http: { url: "\(server.url)", encoding: ndjson, drain: 1m, spool: { directory: \(spool) } }
            """, to: "taffrail.yaml")
        let recovered = try await Program.run(
            ["recover", folder.path, "--config", folder.file("taffrail.yaml")], in: folder)
        #expect(recovered.code == 0, "\(recovered.errors)")
        let children = (1...100).map { "child \($0)" }
        #expect(server.requests[count...].flatMap(\.lines).compactMap { $0["message"] as? String } == children)
        #expect(Set(server.requests.map(\.key)).count == server.requests.count)
        let logged = folder.lines("app.log").compactMap {
            $0.split(separator: "] ", maxSplits: 2).last.map(String.init)
        }
        #expect(logged.sorted() == (lines + children).sorted())
        #expect(try SpoolInspection(spool).summary().records == 0)
    }
}
#endif
