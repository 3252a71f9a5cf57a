#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// `taffrail ctl` with a program that `taffrail run` runs.
@Suite(.mayBlock) struct CtlCommandTests {
    private let directory = TemporaryDirectory()

    private func configuration(_ points: String = "[]") -> String {
        """
        plugins:
          simulated: { points: \(points), interval: 10ms }
          file: { path: DIR/app.log }
        """
    }

    private var control: String? {
        ((try? Directory.entries(of: directory.path + "/.taffrail")) ?? []).map(\.name)
            .first { $0.hasSuffix(".control") }.map { directory.path + "/.taffrail/" + $0 }
    }

    private func ctl(_ words: String...) throws -> CommandRun {
        try CommandRun(["ctl", "--config", directory.path + "/taffrail.yaml"] + words, in: directory)
    }

    private func positions(_ text: String) -> Int {
        directory.lines("app.log").count { $0.contains("geo.location.lat=\(text)") }
    }

    @Test func `positions, levels and status of a running program`() async throws {
        let run = try RunningCommand(configuration(), in: directory)
        #expect(await eventually { control != nil && !directory.lines("app.log").isEmpty })
        var information = stat()
        #expect(stat(try #require(control), &information) == 0 && information.st_mode & 0o777 == 0o600)
        // A southern latitude begins as an option does.
        #expect(try ctl("simulated", "set", "-33.5,151.25").end == .exited(0))
        #expect(await eventually { positions("-33.5") >= 2 })
        #expect(try ctl("simulated", "start", "10.5,20", "10.6,20", "--speed", "1").end == .exited(0))
        #expect(await eventually { positions("10.5") >= 2 })
        #expect(try ctl("simulated", "clear").end == .exited(0))
        #expect(await eventually { directory.lines("app.log").last?.contains("geo.error") == true })

        #expect(try ctl("level", "error").end == .exited(0))
        #expect(try ctl("level", "debug", "net.http").end == .exited(0))
        let status = try ctl("status")
        #expect(status.output.contains("level error\nlevels net.http=debug\nuntil_reload true\n"))
        #expect(status.output.contains("plugins simulated"))
        await expectStatus(
            [directory.path], contains: "  levels    error, net.http=debug, until the configuration is reloaded\n")
        run.send(SIGHUP)
        #expect(await eventually { (try? ctl("status").output.contains("until_reload false")) == true })

        for (words, message) in [
            (["level", "loud"], "level: must be one of trace, debug,"),
            (["simulated", "fly"], "command: must be one of set, start, clear, not \"fly\""),
            (["pinger", "stop"], "plugin: \"pinger\" does not accept commands; known: simulated"),
        ] {
            let refused = try CommandRun(["ctl", "--directory", directory.path] + words, in: directory)
            #expect(refused.end == .exited(65) && refused.errors.contains(message), "\(refused.errors)")
        }
        let nowhere = try ctl("simulated", "set", "91,0")
        #expect(nowhere.end == .exited(64) && nowhere.errors.contains("a latitude is from -90 to 90"), "\(nowhere)")
        #expect(run.end() == .exited(0))
        #expect(control == nil)
        #expect(try ctl("status").end == .exited(66))
        #expect(run.errors.components(separatedBy: "\n").allSatisfy { $0.isEmpty || $0.contains("taffrail.yaml") })
    }

    @Test func `a socket whose path would be too long is in the runtime directory`() async throws {
        let deep = String(repeating: "d", count: 100)
        try #require(mkdir(directory.file(deep), 0o700) == 0)
        let text = """
            plugins:
              simulated: { points: [], interval: 10ms }
              file: { path: DIR/\(deep)/app.log }
            """
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        let run = try RunningCommand(text, in: directory, environment: environment)
        let sockets = { directory.names.filter { $0.hasPrefix("taffrail-") && $0.hasSuffix(".control") } }
        #expect(await eventually { sockets().count == 1 })
        let status = try CommandRun(
            ["ctl", "--directory", directory.file(deep), "status"], in: directory, environment: environment)
        #expect(status.output.contains("plugins simulated"), "\(status.errors)")
        #expect(run.end() == .exited(0))
        #expect(sockets() == [])
    }

    @Test func `a program that can have no socket reports it once, with the reason`() async throws {
        let deep = String(repeating: "d", count: 100)
        try #require(mkdir(directory.file(deep), 0o700) == 0)
        let text = """
            plugins:
              file: { path: DIR/\(deep)/app.log }
            """
        let run = try RunningCommand(text, in: directory, environment: ["XDG_RUNTIME_DIR": ""])
        let place = "no control socket for taffrail ctl: \(directory.file(deep))/.taffrail/"
        let reason = ".control is longer than 107 bytes, and there is no XDG_RUNTIME_DIR"
        #expect(await eventually { run.errors.contains(place) && run.errors.contains(reason) }, "\(run.errors)")
        run.send(SIGHUP)
        #expect(await eventually { run.errors.contains("is in use") }, "\(run.errors)")
        #expect(run.errors.ranges(of: "control socket").count == 1, "\(run.errors)")
        #expect(run.end() == .exited(0))
    }

    @Test func `a program whose queue is in memory is found by its socket, also in the runtime directory`() async throws
    {
        let deep = String(repeating: "d", count: 100)
        try #require(mkdir(directory.file(deep), 0o700) == 0)
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        for place in [".", deep] {
            let text = """
                queue: { durable: false }
                plugins:
                  simulated: { points: [], interval: 10ms }
                  file: { path: DIR/\(place)/app.log }
                """
            let run = try RunningCommand(text, in: directory, environment: environment)
            for arguments in [["--directory", directory.file(place)], ["--config", directory.file("taffrail.yaml")]] {
                #expect(
                    await eventually {
                        let status = try? CommandRun(
                            ["ctl"] + arguments + ["status"], in: directory, environment: environment)
                        return status?.output.contains("process \(run.pid)\nqueue memory\n") == true
                    }, "\(place) \(arguments)")
            }
            let path = directory.file(place)
            let queue = ": running, process \(run.pid)\n  queue     in memory: "
            await expectStatus([path], contains: queue, environment)
            await expectStatus(
                ["--json", path], contains: "\"state\":\"running\",\"queues\":[],\"memory_queues\":[{\"run\":\"",
                environment)
            #expect(run.end() == .exited(0))
        }
    }

    /// Expects a successful `status` with a text. A busy program may not answer within the command's time limit.
    private func expectStatus(_ arguments: [String], contains text: String, _ environment: [String: String] = [:]) async
    {
        var last: CommandRun?
        let isFound = await eventually {
            last = try? CommandRun(["status"] + arguments, in: directory, environment: environment)
            return last?.end == .exited(0) && last?.output.contains(text) == true
        }
        #expect(isFound, "\(arguments): \(last?.output ?? ""), \(last?.errors ?? "")")
    }

    @Test func `a program without sinks on a disk is found by its configuration`() async throws {
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        let run = try RunningCommand(
            """
            plugins:
              simulated: { points: [], interval: 10ms }
              memory: {}
            """, in: directory, environment: environment)
        #expect(
            await eventually {
                let status = try? CommandRun(
                    ["ctl", "--config", directory.file("taffrail.yaml"), "status"], in: directory,
                    environment: environment)
                return status?.output.hasSuffix("\nqueue memory") == true
            })
        let configuration = directory.file("taffrail.yaml")
        await expectStatus(["--config", configuration], contains: ": running, process \(run.pid)\n", environment)
        let doctor = try CommandRun(["doctor", "--config", configuration], in: directory, environment: environment)
        #expect(doctor.output.contains("background  ok       a running program uses \(configuration)"), "\(doctor)")
        #expect(run.end() == .exited(0))
        let ended = try CommandRun(["status", "--config", configuration], in: directory, environment: environment)
        #expect(ended.end == .exited(66) && ended.errors.contains("no running program uses it"), "\(ended)")
    }

    @Test func `where no program has a socket, the report names where it looked, or the program without one`() throws {
        let absent = try CommandRun(["ctl", "--directory", directory.path, "status"], in: directory)
        #expect(absent.end == .exited(66))
        #expect(
            absent.errors.contains(
                "no program with a control socket is running; looked in \(directory.path)/.taffrail"),
            "\(absent.errors)")
        let pipeline = Pipeline(
            sinks: [try FileSink(FileOptions(path: directory.file("app.log")))],
            queue: QueueOptions(capacity: 64 << 10, handleSignals: false))
        pipeline.logger.info("one")
        let other = try CommandRun(["ctl", "--directory", directory.path, "status"], in: directory)
        #expect(other.end == .exited(66))
        #expect(
            other.errors.contains("process \(getpid()) logs to \(directory.path) without a control socket"),
            "\(other.errors)")
        #expect(pipeline.shutdown())
        let named = try CommandRun(["ctl", "--socket", directory.file("none"), "status"], in: directory)
        #expect(named.end == .exited(66) && named.errors.contains("connect to \(directory.path)/none: No such file"))
        // A killed program leaves its socket.
        close(try #require(LocalClient.bind(directory.file("dead"))))
        let dead = try CommandRun(["ctl", "--socket", directory.file("dead"), "status"], in: directory)
        #expect(dead.end == .exited(66) && dead.errors.contains("/dead: Connection refused"), "\(dead.errors)")
    }

    @Test func `a replay in a running program is steered, and a killed program's socket is removed`() async throws {
        let track = directory.file("track.csv")
        let rows = (0..<600).map { "2026-01-05T14:\(30 + $0 / 60 % 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)Z,55,12" }
        try "time,latitude,longitude\n\(rows.joined(separator: "\n"))\n".write(
            toFile: track, atomically: true, encoding: .utf8)
        let text = """
            plugins:
              drive: { type: geo-replay, file: DIR/track.csv }
              file: { path: DIR/app.log }
            """
        let killed = try RunningCommand(text, in: directory)
        #expect(await eventually { control != nil })
        let old = try #require(control)
        #expect(killed.end(SIGKILL) == .killed(SIGKILL))
        let run = try RunningCommand(text, in: directory)
        #expect(await eventually { control.map { $0 != old } == true && access(old, F_OK) != 0 })
        #expect(await eventually { (try? ctl("drive", "pause").output.contains("state paused")) == true })
        let status = try ctl("drive", "seek", "300")
        #expect(status.output.contains("time 300\n") && status.output.contains("state paused\n"), "\(status.output)")
        #expect(try ctl("drive", "seek", "-100").output.contains("time 200\n"))
        #expect(run.end() == .exited(0))
    }
}
#endif
