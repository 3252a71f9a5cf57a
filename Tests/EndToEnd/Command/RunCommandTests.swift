#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// `taffrail run`, the real one.
@Suite(.mayBlock) struct RunCommandTests {
    private let directory = TemporaryDirectory()

    /// A pipeline with something that logs by itself, a hundred times a second.
    private func configuration(_ plugins: String, level: String = "info") -> String {
        """
        level: \(level)
        plugins:
          simulated: { points: [{ latitude: 55.6761, longitude: 12.5683 }], interval: 10ms }
        \(plugins.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        """
    }

    private func positions(_ name: String) -> Int { directory.lines(name).count { $0.contains("geo.location") } }
    private let file = "file: { path: DIR/app.log }"

    @Test func `it logs the records of inputs until SIGTERM, and leaves nothing in its queue`() async throws {
        let run = try RunningCommand(configuration(file), in: directory)
        #expect(await eventually { positions("app.log") >= 3 })
        #expect(run.end() == .exited(0))
        #expect(directory.rings == [])
        let ledger = try Ledger.read(directory: directory.path)
        #expect(ledger.drops == [])
        #expect(ledger.endings.map(\.records) == [UInt64(directory.lines("app.log").count)])
        #expect(run.errors == "")
    }

    @Test func `several sinks get the same records, and SIGINT ends it too`() async throws {
        let run = try RunningCommand(
            configuration("\(file)\naudit: { type: file, path: DIR/audit.log, format: json }\nconsole:"), in: directory)
        #expect(await eventually { positions("audit.log") >= 3 })
        #expect(run.end(SIGINT) == .exited(0))
        #expect(directory.lines("audit.log").count == directory.lines("app.log").count)
        #expect(directory.lines("errors").count == directory.lines("app.log").count)
        #expect(directory.lines("errors") == directory.lines("app.log"))
    }

    @Test(arguments: [true, false]) func `a new configuration takes effect as a whole, an invalid one not at all`(
        isSignalled: Bool
    ) async throws {
        let run = try RunningCommand(configuration(file), in: directory)
        let count = { (text: String) in run.errors.components(separatedBy: text).count - 1 }
        #expect(await eventually { positions("app.log") >= 1 })
        // A watched file is not read a second time for a signal, but the reverse is possible.
        try run.replace(configuration("file: { path: DIR/b.log }\nconsoel:", level: "debug"))
        if isSignalled { run.send(SIGHUP) }
        #expect(await eventually { count("taffrail.yaml is invalid; keeping the current configuration") >= 1 })
        #expect(
            run.errors.contains(
                "\(directory.path)/taffrail.yaml:5:3: unknown plugin \"consoel\"; did you mean \"console\"?"))
        let before = positions("app.log")
        #expect(await eventually { positions("app.log") >= before + 3 })
        #expect(!directory.names.contains("b.log"))
        try run.replace(configuration("file: { path: DIR/b.log }"))
        if isSignalled { run.send(SIGHUP) }
        #expect(await eventually { positions("b.log") >= 3 })
        #expect(await eventually { count("taffrail.yaml is in use: changed file\n") >= 1 })
        #expect(run.end() == .exited(0))
        let lines = directory.lines("app.log") + directory.lines("b.log")
        let endings = try Ledger.read(directory: directory.path).endings
        #expect(endings.map(\.records) == [UInt64(lines.count)])
    }

    @Test func `SIGUSR1 rotates its files`() async throws {
        let run = try RunningCommand(
            configuration("\(file)\naudit: { type: file, path: DIR/audit.log }"), in: directory)
        for round in 1...2 {
            #expect(await eventually { positions("app.log") >= 1 && positions("audit.log") >= 1 })
            run.send(SIGUSR1)
            let rotated = { (stem: String) in directory.names.count { $0.hasPrefix("\(stem)-") } }
            #expect(await eventually { rotated("app") >= round && rotated("audit") >= round })
        }
        #expect(run.end() == .exited(0))
        for stem in ["app", "audit"] {
            let names = directory.names.filter { $0.hasPrefix(stem) && $0.hasSuffix(".log") }
            #expect(names.count >= 3)
            let lines = names.flatMap { directory.lines($0) }
            #expect(lines.count == Int(try Ledger.read(directory: directory.path).endings.first?.records ?? 0))
        }
    }

    @Test func `after SIGKILL the next run recovers the rest`() async throws {
        let run = try RunningCommand(configuration(file), in: directory)
        #expect(await eventually { positions("app.log") >= 3 })
        #expect(run.end(SIGKILL) == .killed(SIGKILL))
        #expect(directory.rings.count == 1)
        let next = try RunningCommand(configuration(file), in: directory)
        #expect(
            await eventually {
                directory.rings.count == 1 && (try? Ledger.read(directory: directory.path).endings.count) == 1
            })
        #expect(next.end() == .exited(0))
        let endings = try Ledger.read(directory: directory.path).endings
        #expect(endings.reduce(0) { $0 + $1.records } == UInt64(directory.lines("app.log").count))
    }

    @Test func `a killed run's records are recovered even if nothing is logged`() async throws {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(run: RingID(0xDEAD), sinks: ["file:app.log"])
        ring.append(LogRecord(level: .warning, message: "left behind"))
        ring.write(to: directory.file(".taffrail/000000000000dead.ring"))
        let run = try RunningCommand("level: critical\nplugins:\n  \(file)\n", in: directory)
        #expect(await eventually { directory.messages == ["left behind"] })
        #expect(await eventually { directory.rings.count == 1 })
        #expect(run.end() == .exited(0))
        #expect(directory.rings == [] && directory.messages == ["left behind"])
        let endings = try Ledger.read(directory: directory.path).endings
        #expect(endings.map(\.records).sorted() == [0, 1])
    }

    @Test func `records left next to a log are recovered when a new configuration moves there`() async throws {
        mkdir(directory.file("next"), 0o700)
        mkdir(directory.file("next/.taffrail"), 0o700)
        var ring = CraftedRing(run: RingID(0xDEAD), sinks: ["file:app.log"])
        ring.append(LogRecord(level: .warning, message: "left behind"))
        ring.write(to: directory.file("next/.taffrail/000000000000dead.ring"))
        let run = try RunningCommand("level: critical\nplugins:\n  \(file)\n", in: directory)
        #expect(await eventually { directory.rings.count == 1 })
        try run.replace("level: critical\nplugins:\n  file: { path: DIR/next/app.log }\n")
        #expect(await eventually { directory.text("next/app.log").hasSuffix("left behind\n") })
        #expect(run.end() == .exited(0))
    }

    @Test func `systemd is notified when it is ready, reloads its configuration, and stops`() async throws {
        let path = directory.file("notify")
        let socket = try DatagramSocket(path)
        let run = try RunningCommand(configuration(file), in: directory, environment: ["NOTIFY_SOCKET": path])
        #expect(await eventually { socket.datagrams == ["READY=1"] })
        run.send(SIGHUP)
        #expect(await eventually { socket.datagrams.count >= 3 })
        let reloading = socket.datagrams.dropFirst().first?.split(separator: "\n")
        #expect(reloading?.first == "RELOADING=1" && reloading?.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(Int(reloading?.last?.dropFirst("MONOTONIC_USEC=".count) ?? "") ?? 0 > 0)
        #expect(socket.datagrams.count == 3 && socket.datagrams.last == "READY=1")
        run.send(SIGTERM)
        #expect(await eventually { socket.datagrams.last == "STOPPING=1" })
        #expect(run.end() == .exited(0))
    }

    @Test func `without libsystemd it runs nevertheless, and reports once that systemd is not notified`() async throws {
        // The file that the loader finds first is not a library.
        try directory.append("", to: "libsystemd.so.0")
        let run = try RunningCommand(
            configuration(file), in: directory,
            environment: [
                "NOTIFY_SOCKET": directory.file("notify"), "WATCHDOG_USEC": "100000", "LD_LIBRARY_PATH": directory.path,
            ])
        #expect(await eventually { positions("app.log") >= 3 })
        #expect(run.end() == .exited(0))
        #expect(run.errors.split(separator: "\n").count { $0.contains("libsystemd is not installed") } == 1)
        // Notification is not requested: nothing is missing.
        let quiet = try RunningCommand(
            configuration(file), in: directory, environment: ["LD_LIBRARY_PATH": directory.path])
        let endings = { (try? Ledger.read(directory: directory.path).endings.count) ?? 0 }
        #expect(await eventually { endings() == 1 && directory.rings.count == 1 })
        #expect(quiet.end() == .exited(0))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func `a wrong configuration, or none, starts nothing`() throws {
        try directory.append("plugins: { file: { path: \(directory.path)/app.log, keep: 5 } }", to: "taffrail.yaml")
        let wrong = try CommandRun(["run", "--config", directory.file("taffrail.yaml")], in: directory)
        #expect(wrong.end == .exited(78))
        #expect(
            wrong.errors.hasPrefix("\(directory.path)/taffrail.yaml:1:")
                && wrong.errors.contains("unknown key \"keep\""))
        let none = try CommandRun(["run"], in: directory)
        #expect(none.end == .exited(66) && none.errors.hasPrefix("taffrail: no configuration was found; looked for "))
        let away = try CommandRun(["run", "--config", "/no/such.yaml"], in: directory)
        #expect(
            away.end == .exited(78) && away.errors == "/no/such.yaml: cannot be opened: No such file or directory\n")
        #expect(directory.names == ["taffrail.yaml"])
    }
}
#endif
