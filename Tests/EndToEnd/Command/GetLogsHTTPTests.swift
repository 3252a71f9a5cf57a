#if Command && Configuration && Server && Store
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// `./get-logs http://HOST`, from a real receiver.
@Suite(.heavy, .serialized, .enabled(if: Program.areThere("curl"), "curl is not installed"))
struct GetLogsHTTPTests {
    private let directory = TemporaryDirectory()
    private var output: String { directory.file("out.log") }

    /// Runs it to its end.
    private func run(
        _ arguments: [String], environment: [String: String] = [:], shell: String = "/bin/sh"
    ) async throws -> (code: Int32, output: String, errors: String) {
        let own = ["HOME": directory.file("home"), "XDG_CACHE_HOME": directory.file("cache"), "TAFFRAIL": ""]
        return try await Program.run(
            [GetLogsTests.top + "/get-logs", "-o", output] + arguments, of: shell,
            environment: own.merging(environment) { $1 })
    }

    private static func send(_ lines: [String], to port: Int, token: String = "") async throws {
        let result = try await Program.run(
            [
                "-sS", "-f", "-H", "Authorization: Bearer \(token)", "--data-binary", lines.joined(separator: "\n"),
                "http://127.0.0.1:\(port)/logs",
            ], of: "curl")
        #expect(result.code == 0, "\(result.errors)")
    }

    private static func line(_ number: Int, _ level: String = "info") -> String {
        "{\"time\":\"2026-01-05T14:30:00.\(String(number + 100_000))Z\",\"level\":\"\(level)\",\"message\":\"line \(number)\"}"
    }

    private func messages() -> [String] {
        directory.lines("out.log").compactMap { line in
            let record = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
            return record?["message"] as? String
        }
    }

    /// Starts a receiver that has stored as many records.
    private func receiver(_ count: Int, _ arguments: [String] = [], token: String = "") async throws -> ServedReceiver {
        let served = ServedReceiver(in: directory, arguments)
        try await served.start()
        for start in stride(from: 0, to: count, by: 1_000) {
            try await Self.send(
                (start..<min(count, start + 1_000)).map { Self.line($0, $0 % 10 == 0 ? "error" : "info") },
                to: served.port, token: token)
        }
        let store = directory.file("data/logs.sqlite")
        #expect(
            try await eventually {
                let found = try await Program.run([
                    "logs", "histogram", "message~\"line \"", "--store", store, "--format", "json",
                ])
                let total = found.output.split(separator: "\n").reduce(0) { sum, line in
                    let bucket = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
                    return sum + ((bucket?["counts"] as? [String: Int])?.values.reduce(0, +) ?? 0)
                }
                return total == count
            })
        return served
    }

    /// Makes a `curl` that notes its arguments and its environment in the file `seen`.
    ///
    /// - Returns: The `PATH` with it.
    private func notingCurl() throws -> String {
        let curl = try #require(Program.path("curl"))
        try FileManager.default.createDirectory(atPath: directory.file("bin"), withIntermediateDirectories: true)
        try directory.write(
            "#!/bin/sh\n{ printf '%s\\n' \"$@\"; env; } >>'\(directory.file("seen"))'\nexec \(curl) \"$@\"\n",
            to: "bin/curl")
        chmod(directory.file("bin/curl"), 0o755)
        return directory.file("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    }

    /// The starts of the requests for what has arrived, as the `curl` that notes has seen them.
    private func starts() -> [String] {
        directory.lines("seen").compactMap { line in
            guard line.contains("time=arrival&order=oldest&since=") else { return nil }
            return line.components(separatedBy: "since=")[1].components(separatedBy: "&")[0]
        }
    }

    @Test func `what a receiver has stored is pulled in order, page by page`() async throws {
        let served = try await receiver(12_500)
        let target = "http://127.0.0.1:\(served.port)"
        // They have one receiver.
        let shells = ["/bin/dash", "/bin/bash", "/bin/busybox"]
        for shell in shells { try await checkPages(of: target, by: shell) }
        #expect(await served.stop() == 0)
        for shell in shells {
            let gone = try await pull([target], by: shell)
            #expect(gone.code == 69 && gone.errors.contains("does not answer"), "\(shell): \(gone.errors)")
        }
    }

    /// Runs it by a shell, with a time zone.
    private func pull(
        _ arguments: [String], by shell: String, zone: String = "UTC0"
    ) async throws -> (code: Int32, output: String, errors: String) {
        let own = [
            "HOME": directory.file("home"), "XDG_CACHE_HOME": directory.file("cache"), "TAFFRAIL": "", "TZ": zone,
        ]
        let busybox = shell == "/bin/busybox" ? ["sh"] : []
        return try await Program.run(
            busybox + [GetLogsTests.top + "/get-logs", "-o", output] + arguments, of: shell, environment: own)
    }

    private func checkPages(of target: String, by shell: String) async throws {
        let all = try await pull([target, "-q", "message~\"line \"", "-n", "2"], by: shell)
        #expect(all.code == 0 && all.errors.isEmpty, "\(all.errors)")
        #expect(messages() == (0..<12_500).map { "line \($0)" })
        #expect(all.output.split(separator: "\n").count == 2 && all.output.contains("line 12499"))
        let errors = try await pull([target + "/", "-q", "message~\"line 1\"", "--level", "error"], by: shell)
        #expect(errors.code == 0, "\(errors.errors)")
        #expect(messages() == (0..<12_500).filter { $0 % 10 == 0 && "\($0)".hasPrefix("1") }.map { "line \($0)" })
        let late = try await pull([target, "-q", "message~\"line \"", "--since", "2026-01-05 14:30:01"], by: shell)
        #expect(late.code == 0 && messages().isEmpty, "\(late.errors)")
        // Two hours east of Greenwich, by this side's clock.
        let before = try await pull(
            [target, "-q", "message~\"line \"", "--since", "2026-01-05 16:30"], by: shell, zone: "EET-2")
        #expect(before.code == 0 && messages().count == 12_500, "\(before.errors)")
        let after = try await pull(
            [target, "-q", "message~\"line \"", "--since", "2026-01-05 16:31"], by: shell, zone: "EET-2")
        #expect(after.code == 0 && messages().isEmpty, "\(after.errors)")
        let recent = try await pull([target, "-q", "message~\"line \"", "--since", "1m"], by: shell)
        #expect(recent.code == 0 && messages().isEmpty, "\(recent.errors)")
        let wrong = try await pull([target, "-q", "level>=loud"], by: shell)
        #expect(wrong.code == 64 && wrong.errors.contains("loud"), "\(wrong.errors)")
    }

    @Test func `following adds each record once, also across a restart of the receiver`() async throws {
        let served = try await receiver(100)
        let arguments = ["-f", "http://127.0.0.1:\(served.port)", "-q", "message~\"line \""]
        let own = ["HOME": directory.file("home"), "XDG_CACHE_HOME": directory.file("cache"), "TAFFRAIL": ""]
        let following = try Program(
            [GetLogsTests.top + "/get-logs", "-o", output] + arguments, of: "/bin/sh", in: directory, environment: own,
            output: "shown", errors: "follow-errors")
        #expect(await eventually { messages().count == 100 })
        for round in 0..<3 {
            try await Self.send((0..<10).map { Self.line(100 + round * 10 + $0) }, to: served.port)
            if round == 1 {
                served.kill()
                #expect(await eventually { directory.text("follow-errors").contains("does not answer; trying again") })
                try await served.start()
            }
            let isThere = await eventually { messages().count >= 110 + round * 10 }
            #expect(isThere, "\(messages().count) \(directory.text("follow-errors"))")
        }
        #expect(Set(messages()) == Set((0..<130).map { "line \($0)" }) && messages().count == 130)
        #expect(await eventually { directory.text("shown").contains("line 129") })
        following.send(SIGTERM)
        #expect(await following.wait() == 143)
        #expect(await served.stop() == 0)
    }

    @Test func `following starts where the store is, however long that has had nothing new`() async throws {
        let served = try await receiver(20)
        let stored = Int(Date().timeIntervalSince1970) + 1
        let environment = [
            "HOME": directory.file("home"), "XDG_CACHE_HOME": directory.file("cache"), "TAFFRAIL": "",
            "PATH": try notingCurl(),
        ]
        let following = try Program(
            [
                GetLogsTests.top + "/get-logs", "-o", output, "-f", "http://127.0.0.1:\(served.port)", "-q",
                "message~\"line \"", "--since", "1m",
            ], of: "/bin/sh", in: directory, environment: environment, output: "shown", errors: "follow-errors")
        #expect(await eventually { starts().count >= 4 }, "\(directory.text("follow-errors"))")
        // By the newest record that is stored, not by the time of the request.
        for start in starts() {
            let second = Int(start.replacing("%40", with: ""))
            #expect(second.map { $0 > 0 && $0 <= stored - 11 } == true, "\(start)")
        }
        // What arrived before, and was logged before the start, is not new.
        #expect(messages().isEmpty)
        try await Self.send((20..<30).map { Self.line($0) }, to: served.port)
        #expect(await eventually { messages().count >= 10 })
        #expect(messages() == (20..<30).map { "line \($0)" })
        following.send(SIGTERM)
        #expect(await following.wait() == 143)
        #expect(await served.stop() == 0)
    }

    @Test func `a token comes from the environment or a file of one's own, and is no argument of a program`()
        async throws
    {
        try directory.write("pump0123456789 ingest\nreader0123456789 read\n", to: "tokens")
        let served = try await receiver(3, ["--token-file", directory.file("tokens")], token: "pump0123456789")
        let target = "http://127.0.0.1:\(served.port)"
        let none = try await run([target])
        #expect(none.code == 67 && none.errors.contains("login refused"), "\(none.errors)")
        #expect(try await run([target], environment: ["TAFFRAIL_TOKEN": "pump0123456789"]).code == 77)
        let byVariable = try await run(
            [target, "-q", "message~\"line \""], environment: ["TAFFRAIL_TOKEN": "reader0123456789"])
        #expect(byVariable.code == 0 && messages().count == 3, "\(byVariable.errors)")
        try directory.write("reader0123456789\n", to: "own")
        chmod(directory.file("own"), 0o644)
        let open = try await run([target, "--token-file", directory.file("own")])
        #expect(open.code == 77 && open.errors.contains("chmod 600"), "\(open.errors)")
        chmod(directory.file("own"), 0o600)
        let byFile = try await run([
            target, "--force", "-q", "message~\"line \"", "--token-file", directory.file("own"),
        ])
        #expect(byFile.code == 0 && messages().count == 3, "\(byFile.errors)")
        #expect(try await run([target.replacing("//", with: "//me:reader0123456789@")]).code == 64)
        #expect(try await run([target], environment: ["TAFFRAIL_TOKEN": "a\"b"]).code == 64)
        let path = try notingCurl()
        let seen = try await run(
            [target, "--force", "-q", "message~\"line \""],
            environment: ["TAFFRAIL_TOKEN": "reader0123456789", "PATH": path])
        #expect(seen.code == 0 && directory.text("seen").contains("/api/export"), "\(seen.errors)")
        #expect(!directory.text("seen").contains("reader0123456789"))
        #expect(await served.stop() == 0)
    }

    @Test(.enabled(if: Program.areThere("wget"), "wget is not installed"))
    func `wget serves where there is no curl`() async throws {
        try directory.write("pump0123456789 ingest\nreader0123456789 read\n", to: "tokens")
        let served = try await receiver(30, ["--token-file", directory.file("tokens")], token: "pump0123456789")
        let target = "http://127.0.0.1:\(served.port)"
        try FileManager.default.createDirectory(atPath: directory.file("bin"), withIntermediateDirectories: true)
        for folder in ["/usr/bin", "/bin"] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name != "curl" {
                symlink(folder + "/" + name, directory.file("bin/" + name))
            }
        }
        let path = ["PATH": directory.file("bin")]
        let pulled = try await run(
            [target, "-q", "message~\"line \""],
            environment: path.merging(["TAFFRAIL_TOKEN": "reader0123456789"]) { $1 })
        #expect(pulled.code == 0 && messages() == (0..<30).map { "line \($0)" }, "\(pulled.errors)")
        let refused = try await run([target, "--force"], environment: path)
        #expect(refused.code == 67, "\(refused.errors)")
        let wrong = try await run(
            [target, "--force", "-q", "level>=loud"],
            environment: path.merging(["TAFFRAIL_TOKEN": "reader0123456789"]) { $1 })
        #expect(wrong.code == 64 && wrong.errors.contains("loud"), "\(wrong.errors)")
        #expect(await served.stop() == 0)
        #expect(try await run([target, "--force"], environment: path).code == 69)
    }
}
#endif
