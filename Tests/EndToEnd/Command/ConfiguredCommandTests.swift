#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// `check`, `plugins`, `log`, `recover` and `status` with configurations, each as a program.
@Suite(.mayBlock) struct ConfiguredCommandTests: CommandTests {
    let directory = TemporaryDirectory()

    // MARK: check

    @Test func `check prints ok and opens nothing`() throws {
        let file = try configure("plugins: { file: { path: DIR/logs/app.log }, journald: { socket: /no/such } }")
        let run = try taffrail("check", file)
        #expect(run.end == .exited(0) && run.output == "ok" && run.errors == "")
        #expect(try taffrail("check", environment: ["TAFFRAIL_CONFIG": file]).output == "ok")
        #expect(directory.names == ["taffrail.yaml"])
    }

    @Test func `check reports all problems with their locations, and exits with 78`() throws {
        let file = try configure(
            "level: loud\nplugins:\n  file: { path: DIR/app.log, rotate: { sise: 5MiB } }\n  jurnald:\n")
        let run = try taffrail("check", file)
        #expect(run.end == .exited(78) && run.output == "")
        let lines = run.errors.split(separator: "\n").map { $0.replacing(directory.path, with: "DIR") }
        #expect(
            lines.map { $0.prefix { $0 != " " } } == [
                "DIR/taffrail.yaml:1:8:", "DIR/taffrail.yaml:3:\(lines[1].split(separator: ":")[2]):",
                "DIR/taffrail.yaml:4:3:",
            ])
        #expect(lines[1].contains("unknown key \"sise\" in plugins.file.rotate; did you mean \"size\"?"))
        #expect(lines[2].contains("unknown plugin \"jurnald\"; did you mean \"journald\"?"))
        #expect(directory.names == ["taffrail.yaml"])
    }

    @Test func `check reports a name of the device that cannot be used everywhere`() throws {
        let file = try configure("device: F\u{E4}hre\nplugins: { file: { path: DIR/app.log } }\n")
        let run = try taffrail("check", file)
        #expect(run.end == .exited(78))
        #expect(run.errors.hasPrefix("\(file):1:9: device: must be 1 to 64 printable ASCII characters"), "\(run)")
        #expect(
            try taffrail("check", configure("device: ferry\nplugins: { log-store: { path: DIR/a } }\n")).output == "ok")
    }

    @Test func `check reports an unreadable file`() throws {
        #expect(try taffrail("check").end == .exited(66))
        let directoryRun = try taffrail("check", directory.path)
        #expect(
            directoryRun.end == .exited(78) && directoryRun.errors == "\(directory.path): is a directory, not a file\n")
        try Data([0x6C, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: directory.file("binary.yaml")))
        let binary = try taffrail("check", directory.file("binary.yaml"))
        #expect(binary.end == .exited(78) && binary.errors == "\(directory.file("binary.yaml")): is not valid UTF-8\n")
        try directory.append(String(repeating: "# long\n", count: 160_000), to: "long.yaml")
        let long = try taffrail("check", directory.file("long.yaml"))
        #expect(long.end == .exited(78) && long.errors == "\(directory.file("long.yaml")): is longer than 1 MiB\n")
    }

    // MARK: plugins

    @Test func `plugins lists all, and prints samples that check accepts`() throws {
        let list = try taffrail("plugins").output.split(separator: "\n").map {
            $0.split(separator: "\t").map(String.init)
        }
        #expect(list.contains(["sink", "file"]) && list.contains(["processor", "redaction"]))
        #expect(list.contains(["input", "gpsd"]) && list.contains(["sink", "console"]))
        for sink in ["file", "console", "memory"] {
            let sample = try taffrail("plugins", sink)
            #expect(sample.end == .exited(0))
            #expect(try taffrail("check", configure(sample.output)).output == "ok", "\(sink)")
        }
        let unknown = try taffrail("plugins", "fiel")
        #expect(unknown.end == .exited(64))
        #expect(unknown.errors.contains("no plugin is named \"fiel\"; did you mean \"file\"?"))
    }

    // MARK: log

    @Test func `log writes through the configuration that --config or TAFFRAIL_CONFIG names`() throws {
        let file = try configure(
            """
            processors: [{ redaction: { patterns: ["token=\\\\S+"], keys: [password] } }]
            plugins: { file: { path: DIR/app.log }, audit: { type: file, path: DIR/audit.log, format: json } }
            """)
        #expect(try taffrail("log", "info", "--config", file, "one token=abc", "password=x", "n=1").end == .exited(0))
        let named = try taffrail("log", "debug", "two", environment: ["TAFFRAIL_CONFIG": file])
        #expect(named.end == .exited(0) && named.errors == "")
        let messages = { directory.messages.filter { !$0.hasPrefix("{") } }
        #expect(messages() == ["one <redacted> password=<redacted> n=1", "two"])
        #expect(directory.lines("audit.log").count { $0.contains("\"message\":\"two\"") } == 1)
        #expect(directory.rings == [])
        let both = try taffrail("log", "info", "--config", file, "--file", "/tmp/x.log", "three")
        #expect(both.end == .exited(64) && both.errors.contains("--config cannot be combined with --file"))
        // Flags give the location of the log; the environment's configuration is then ignored.
        let flags = try taffrail(
            "log", "info", "--file", directory.file("plain.log"), "four", environment: ["TAFFRAIL_CONFIG": file])
        #expect(flags.end == .exited(0) && directory.lines("plain.log").count == 1)
        unlink(directory.file("plain.log"))
        let wrong = try taffrail("log", "info", "--config", directory.file("none.yaml"), "five")
        #expect(wrong.end == .exited(78) && messages().count == 2)
    }

    @Test func `log --stdin runs the complete pipeline of a configuration, including inputs`() async throws {
        let file = try configure(
            """
            processors: [{ redaction: { patterns: ["token=\\\\S+"] } }]
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 10ms }
              file: { path: DIR/app.log }
            """)
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = try Program(
            ["log", "notice", "--stdin", "--tee", "--config", file], of: "taffrail",
            environment: CommandRun.environment(directory), input: ends[0], errors: directory.file("errors"))
        close(ends[0])
        #expect(write(ends[1], "a token=1\n", 10) == 10)
        #expect(process.readLine() == "a token=1")
        #expect(await eventually { directory.text("app.log").contains("geo.location") })
        #expect(write(ends[1], "b", 1) == 1)
        close(ends[1])
        #expect(process.readToEnd() == "b")
        #expect(process.end() == .exited(0))
        let notices = directory.lines("app.log").filter { $0.contains("[NOTICE]") }
        #expect(notices.map { $0.split(separator: "] ").last } == ["a <redacted>", "b"])
        #expect(directory.text("errors") == "" && directory.rings == [])
    }

    // MARK: recover

    /// Leaves a ring as a killed program with processors does.
    private func leaveRing(sink: String = "file:app.log", destination: String = "app.log") throws {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(run: RingID(0xDEAD), sinks: ["console", sink], destination: destination)
        for n in 1...3 { ring.append(LogRecord(level: .info, message: "\(n) token=abc")) }
        ring.withHeader { header in
            header.setHasProcessors()
            header.setLog(slot: 1, encoder: "text", destination: destination)
        }
        ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
        chmod(directory.file(".taffrail/\(ring.run).ring"), 0o600)
    }

    @Test func `recover skips rings with processors, unless it has these or --raw`() throws {
        try leaveRing()
        let refused = try taffrail("recover", directory.path)
        #expect(refused.end == .exited(65) && refused.output == "recovered 0 records")
        #expect(refused.errors.contains("its program has processors or a filter; --config FILE names them"))
        #expect(directory.rings.count == 1 && directory.messages == [])
        let file = try configure(
            "processors: [{ redaction: { patterns: [\"token=\\\\S+\"] } }]\n"
                + "plugins: { file: { path: DIR/app.log }, console: { stream: stderr } }")
        let clean = try taffrail("recover", directory.path, "--config", file)
        #expect(clean.end == .exited(0) && clean.output == "recovered 3 records into \(directory.file("app.log"))")
        #expect(directory.rings == [] && directory.messages == ["1 <redacted>", "2 <redacted>", "3 <redacted>"])
        try leaveRing()
        let named = try taffrail("recover", directory.path, environment: ["TAFFRAIL_CONFIG": file])
        #expect(named.end == .exited(0) && directory.messages.last == "3 <redacted>")
        try leaveRing()
        #expect(try taffrail("recover", "--raw", directory.path, "--drop", "console").end == .exited(0))
        #expect(
            directory.rings == []
                && directory.messages.suffix(3) == ["1 token\\=abc", "2 token\\=abc", "3 token\\=abc"])
    }

    @Test func `recover filters the log as its configuration does`() throws {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(run: RingID(0xDEAD), sinks: ["file:app.log"], destination: "app.log")
        for n in 1...4 { ring.append(LogRecord(level: n % 2 == 0 ? .error : .info, message: "\(n)")) }
        ring.withHeader { header in
            header.setHasFilteredLog()
            header.setLog(slot: 0, encoder: "text", destination: "app.log")
        }
        ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
        chmod(directory.file(".taffrail/\(ring.run).ring"), 0o600)
        #expect(try taffrail("recover", directory.path).end == .exited(65))
        let other = try configure("plugins: { file: { path: DIR/other.log } }")
        #expect(try taffrail("recover", directory.path, "--config", other).end == .exited(65))
        #expect(directory.rings.count == 1 && directory.messages == [])
        let file = try configure("plugins: { file: { path: DIR/app.log, level: error } }")
        #expect(try taffrail("recover", directory.path, "--config", file).end == .exited(0))
        #expect(directory.rings == [] && directory.messages == ["2", "4"])
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.map(\.reason) == [.filtered] && drops.map(\.count) == [2])
    }

    @Test func `recover finds the sink whatever the configuration called it`() throws {
        try leaveRing(sink: "audit", destination: "audit.log")
        let run = try taffrail("recover", "--raw", directory.path)
        #expect(run.end == .exited(65) && run.output == "recovered 3 records into \(directory.file("audit.log"))")
        #expect(directory.lines("audit.log").count == 3)
        // Records that the console lacks are kept, and not written again.
        #expect(run.errors.contains("\(directory.rings[0]): 3 records wait for console"))
        let again = try taffrail("recover", "--raw", directory.path)
        #expect(again.end == .exited(65) && again.output == "recovered 0 records")
        #expect(try Ledger.read(directory: directory.path).drops == [])
        let dropped = try taffrail("recover", "--raw", directory.path, "--drop", "console")
        #expect(dropped.end == .exited(0) && dropped.output == "recovered 0 records" && directory.rings == [])
        #expect(directory.lines("audit.log").count == 3)
        let drops = try Ledger.read(directory: directory.path).drops
        #expect(drops.map(\.sink) == ["console"] && drops.map(\.sequences) == [1...3])
        #expect(drops.map(\.reason) == [.discarded])
    }

    @Test func `recover delivers to every sink of a configuration, and keeps records for an absent one`() throws {
        try leaveRing()
        let text = "plugins: { file: { path: DIR/app.log }, console: { stream: stdout, time: utc } }"
        let file = try configure("processors: [{ redaction: { patterns: [\"token=\\\\S+\"] } }]\n" + text)
        let all = try taffrail("recover", directory.path, "--config", file)
        #expect(all.end == .exited(0), "\(all.errors)")
        #expect(directory.messages == ["1 <redacted>", "2 <redacted>", "3 <redacted>"] && directory.rings == [])
        #expect(all.output.split(separator: "\n").count { $0.hasSuffix("<redacted>") } == 3)
        // A plugin that is not part of the command.
        try leaveRing(sink: "console", destination: "")
        let other = try configure(
            "processors: [{ redaction: { patterns: [\"token=\\\\S+\"] } }]\n"
                + "plugins: { file: { path: DIR/app.log }, console: { type: harbour, berth: 3 } }")
        let kept = try taffrail("recover", directory.path, "--config", other)
        #expect(kept.end == .exited(65) && kept.errors.contains(": 3 records wait for console"))
        #expect(directory.rings.count == 1)
    }

    // MARK: status

    @Test func `status shows running queues, dead ones, and drops of ended runs`() async throws {
        let configuration = """
            processors: [{ filter: { except_events: [geo.location] } }]
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 10ms }
              file: { path: DIR/app.log }
            """
        let run = try RunningCommand(configuration, in: directory)
        var status = try taffrail("status", directory.path)
        #expect(
            await eventually {
                guard let now = try? taffrail("status", directory.path) else { return false }
                status = now
                // The input may be faster than the command's own record.
                return status.output.contains("dropped   processor ")
                    && status.output.contains("sink      file:app.log: 1 record written, 0 bytes pending")
            })
        #expect(status.end == .exited(0))
        let lines = status.output.split(separator: "\n")
        #expect(lines.first?.hasSuffix(" for app.log: running, process \(run.pid)") == true)
        #expect(lines.contains { $0.hasPrefix("  queue     ") && $0.contains(" bytes (") })
        #expect(lines.contains("  sink      file:app.log: 1 record written, 0 bytes pending, 0 records lost"))
        #expect(run.end(SIGKILL) == .killed(SIGKILL))
        #expect(try taffrail("status", directory.path).output.contains(" for app.log: dead, waiting for recovery"))
        #expect(try taffrail("recover", "--raw", directory.path).end == .exited(0))
        let after = try taffrail("status", directory.path).output.split(separator: "\n")
        #expect(after.first == "no queues in \(directory.path)")
        #expect(
            after.contains { $0.hasPrefix("ended runs: 1 with ") && $0.hasSuffix("in 1 of them records were dropped") })
        #expect(after.contains { $0.hasPrefix("  dropped   processor ") })
    }

    @Test func `status prints the reports of sinks, also of those with their state elsewhere`() async throws {
        let configuration = """
            plugins:
              simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 10ms }
              file: { path: DIR/app.log }
              journald: { socket: DIR/absent }
              geo-recorder: { directory: DIR/drives }
            """
        let run = try RunningCommand(configuration, in: directory)
        for place in [directory.path, directory.file("drives")] {
            var status = ""
            #expect(
                await eventually {
                    status = (try? taffrail("status", place).output) ?? ""
                    return status.contains("plugin journald: {") && status.contains("plugin geo-recorder: {")
                }, "\(status)")
            #expect(status.contains("\"fallback_records\":") && status.contains("\"recording\":"))
            #expect(status.contains(" for app.log: running, process \(run.pid)"))
        }
        #expect(run.end() == .exited(0))
    }

    @Test func `status reports unreadable files`() throws {
        #expect(try taffrail("status", directory.file("none")).end == .exited(66))
        mkdir(directory.file(".taffrail"), 0o700)
        try directory.append("no ring", to: ".taffrail/0000000000000001.ring")
        try directory.append("no line\n", to: ".taffrail/ledger")
        let run = try taffrail("status", directory.path)
        #expect(run.end == .exited(65))
        #expect(run.errors.contains("0000000000000001.ring is not a ring"))
        #expect(run.errors.contains("the ledger has 1 invalid line"))
    }
}
#endif
