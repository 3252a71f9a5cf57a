#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import TaffrailTransport
import Testing

/// `taffrail doctor`: the questions of people whose positions do not come, in their order.
@Suite(.heavy) struct DoctorCommandTests {
    private func doctor(_ folder: TemporaryDirectory, _ configuration: String) async throws -> (
        code: Int32, lines: [String]
    ) {
        try folder.write(configuration, to: "taffrail.yaml")
        let result = try await Program.run(
            ["doctor", "--config", folder.file("taffrail.yaml"), "--wait", "5s"], in: folder)
        #expect(folder.text("errors") == "")
        return (result.code, result.output.split(separator: "\n").map(String.init))
    }

    /// The areas of the lines that begin one.
    private func areas(_ lines: [String]) -> [String] {
        lines.filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    private func store(_ folder: TemporaryDirectory) -> String {
        "location-store: { path: \"\(folder.file("track.sqlite"))\" }"
    }

    @Test func `what is missing is named with cause and remedy, in the order in which one looks`() async throws {
        let folder = TemporaryDirectory()
        let (code, lines) = try await doctor(
            folder,
            """
            plugins:
              nmea: { source: "\(folder.file("ttyACM0"))" }
              \(store(folder))
            """)
        #expect(code == 69)
        let order = areas(lines)
        #expect(order.first == "position", "\(lines)")
        #expect(Set(order) == ["position", "permission", "background", "saving", "crashes"])
        let ranks = ["position": 0, "permission": 1, "background": 2, "saving": 3, "crashes": 4]
        #expect(order.compactMap { ranks[$0] } == order.compactMap { ranks[$0] }.sorted())
        #expect(lines[0].contains("PROBLEM") && lines[0].contains("ttyACM0 does not exist"), "\(lines)")
        #expect(lines[1].contains("cause") && lines[2].contains("remedy"))
        #expect(
            lines.contains { $0.contains("background") && $0.contains("PROBLEM") && $0.contains("no running program") })
        #expect(lines.contains { $0.contains("no such store") }, "\(lines)")
        #expect(lines.last?.contains("no program has left records in its queue") == true)
    }

    @Test func `a program whose queue is in memory is queried once, with time to answer`() async throws {
        let folder = TemporaryDirectory()
        let configuration = folder.file("taffrail.yaml")
        // The answer is also needed for a directory that cannot be written, here not even by root.
        try folder.write("plugins: { geo-recorder: { directory: /proc/sys/recordings } }\n", to: "taffrail.yaml")
        let queries = Locked(0)
        let program = try StreamServer(
            socket: folder.file("taffrail-\(RingID(1)).control"),
            handlers: .init(
                line: { _, _ in
                    queries.withLock { $0 += 1 }
                    return Array("{\"ok\":true,\"configuration\":\"\(configuration)\"}\n".utf8)
                }, splitsAtSemicolons: false))
        defer { program.close() }
        let result = try await Program.run(
            ["doctor", "--config", configuration, "--wait", "5s"], in: folder,
            environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(result.output.contains("a running program uses \(configuration)"), "\(result)")
        #expect(queries.withLock { $0 } == 1)
    }

    @Test func `without an input no position can arrive, and a gpsd that is not there is looked for`() async throws {
        let folder = TemporaryDirectory()
        let (code, lines) = try await doctor(folder, "plugins:\n  \(store(folder))\n")
        #expect(code == 69 && lines[0].contains("no position can arrive"), "\(lines)")
        let (other, more) = try await doctor(
            folder, "plugins:\n  gpsd: { host: 127.0.0.1, port: 1 }\n  \(store(folder))\n")
        #expect(other == 69 && more[0].contains("PROBLEM") && more.contains { $0.contains("gpsd.socket") }, "\(more)")
    }

    @Test func `of a gpsd with several receivers, the configured one must deliver positions`() async throws {
        let folder = TemporaryDirectory()
        let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#
        let server = try StreamServer(
            host: "127.0.0.1", port: 0,
            handlers: .init(
                joined: { _ in Array(greeting.utf8) + [13, 10] },
                line: { _, line in
                    guard String(decoding: line, as: UTF8.self).hasPrefix("?WATCH=") else { return [] }
                    let fixes = (41...42).map { second in
                        """
                        {"class":"TPV","device":"/dev/a","mode":2,"time":"2026-11-21T07:09:\(second).000Z","lat":1.5,"lon":2.5}\r\n
                        """
                    }
                    return Array(fixes.joined().utf8)
                }))
        defer { server.close(timeout: .zero) }
        for (device, result) in [("/dev/a", "ok"), ("/dev/b", "PROBLEM")] {
            let (code, lines) = try await doctor(
                folder, "plugins:\n  gpsd: { port: \(server.port), device: \(device) }\n  \(store(folder))\n")
            // No program runs.
            #expect(code == 69 && lines[0].hasPrefix("position    \(result)"), "\(lines)")
        }
    }

    @Test func `a program that runs and saves is well, and one that was killed has left something`() async throws {
        let folder = TemporaryDirectory()
        let configuration = """
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 100ms }
              \(store(folder))
            """
        try folder.write(configuration, to: "taffrail.yaml")
        let program = try Program(["run", "--config", folder.file("taffrail.yaml")], in: folder, errors: "program")
        #expect(
            await eventually {
                let result = try? Program.run(
                    ["-readonly", folder.file("track.sqlite"), "SELECT count(*) FROM point"], of: "sqlite3")
                return (Int((result?.output ?? "").trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 0
            }, "\(folder.text("program"))")
        // It saves positions before it can be asked.
        #expect(
            await eventually {
                let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file(".taffrail"))
                return names?.contains { $0.hasSuffix(".control") } == true
            }, "\(folder.text("program"))")
        let (_, lines) = try await doctor(folder, configuration)
        #expect(lines.contains { $0.hasPrefix("background  ok") && $0.contains("a running program uses") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("saving      ok") && $0.contains("the newest of 20") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("crashes     ok") }, "\(lines)")
        program.send(SIGKILL)
        #expect(await program.wait() == 128 + SIGKILL)
        let (code, after) = try await doctor(folder, configuration)
        #expect(code == 69 && after.contains { $0.hasPrefix("crashes     PROBLEM") }, "\(after)")
        let remedy = try #require(after.last?.components(separatedBy: ", or taffrail ").last, "\(after)")
        #expect(remedy.hasPrefix("recover "), "\(after)")
        let recovered = try await Program.run(remedy.split(separator: " ").map(String.init), in: folder)
        #expect(recovered.code == 0 && recovered.output.hasPrefix("recovered "), "\(recovered)")
    }

    @Test func `a program with another configuration in the same directory is another program`() async throws {
        let folder = TemporaryDirectory()
        let configuration = "plugins:\n  simulated: { points: [] }\n  file: { path: \(folder.file("app.log")) }\n"
        try folder.write(configuration, to: "other.yaml")
        let program = try Program(["run", "--config", folder.file("other.yaml")], in: folder, errors: "program")
        #expect(
            await eventually {
                let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file(".taffrail"))
                return names?.contains { $0.hasSuffix(".control") } == true
            }, "\(folder.text("program"))")
        let (code, lines) = try await doctor(folder, configuration)
        #expect(code == 69 && lines.contains { $0.contains("no running program uses") }, "\(lines)")
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
    }

    @Test func `a journal is examined by its socket`() async throws {
        let folder = TemporaryDirectory()
        for (socket, result) in [(folder.path, "ok"), (folder.file("none"), "PROBLEM")] {
            let (_, lines) = try await doctor(
                folder, "plugins:\n  simulated: { points: [] }\n  journald: { socket: \(socket) }\n")
            #expect(
                lines.contains { $0.hasPrefix("saving      \(result)") && $0.contains("journald: \(socket)") },
                "\(lines)")
        }
    }

    @Test func `sinks that keep nothing save nothing, and a receiver is not a simulation`() async throws {
        let folder = TemporaryDirectory()
        let (code, lines) = try await doctor(
            folder, "plugins:\n  receiver: { bind: 127.0.0.1:0, insecure: true }\n  console: {}\n  memory: {}\n")
        #expect(code == 69)
        #expect(lines.contains { $0.hasPrefix("saving      PROBLEM  nothing is saved") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("position    ok       receiver: not examined") }, "\(lines)")
    }

    @Test func `a store that is damaged or of another program is reported as such`() async throws {
        let folder = TemporaryDirectory()
        try folder.write("not a database", to: "track.sqlite")
        let (_, lines) = try await doctor(folder, "plugins:\n  \(store(folder))\n")
        #expect(
            lines.contains { $0.contains("is not a database") } && lines.contains { $0.contains("the file is damaged") }
        )
        #expect(folder.text("track.sqlite") == "not a database")
    }
}
#endif
