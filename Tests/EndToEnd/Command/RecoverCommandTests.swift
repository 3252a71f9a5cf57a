#if Command && Configuration
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// Rings that `taffrail recover` cannot drain, and those that `taffrail log` leaves to it.
@Suite(.mayBlock) struct RecoverCommandTests {
    private let directory = TemporaryDirectory()

    /// Leaves a ring with three records of a killed program.
    private func leaveRing(_ change: (RingHeader) -> Void = { _ in }) throws {
        mkdir(directory.file(".taffrail"), 0o700)
        var ring = CraftedRing(sinks: ["file:app.log"])
        for n in 1...3 { ring.append(LogRecord(level: .info, message: "\(n) token=abc")) }
        ring.withHeader { header in
            header.setLog(slot: 0, encoder: "text", destination: "app.log")
            change(header)
        }
        ring.write(to: directory.file(".taffrail/\(ring.run).ring"))
        chmod(directory.file(".taffrail/\(ring.run).ring"), 0o600)
    }

    @Test func `a ring that is not drained completely is an error`() throws {
        try leaveRing()
        // The end of the run cannot be recorded.
        mkdir(directory.file(".taffrail/ledger"), 0o700)
        let result = try CommandRun(["recover", directory.path], in: directory)
        #expect(result.end == .exited(74) && result.output.hasPrefix("recovered 3 records"))
        #expect(result.errors.contains("\(directory.rings.first ?? "-"): not drained completely; try again"))
        rmdir(directory.file(".taffrail/ledger"))
        let again = try CommandRun(["recover", directory.path], in: directory)
        #expect(again.end == .exited(0) && again.output == "recovered 0 records" && directory.rings == [])
        #expect(directory.messages.count == 3)
    }

    @Test func `the directory of queues may be named in place of that of the log`() throws {
        for name in ["logs", "logs/.taffrail", "queues"] { mkdir(directory.file(name), 0o700) }
        let ring = directory.leaveRing("queues", [("file:app.log", directory.file("logs/app.log"), 0)])
        chmod(ring, 0o600)
        try directory.write("\(ring)\n", to: "logs/.taffrail/\(CraftedRing().run).at")
        try directory.write("\(directory.file("logs/.taffrail"))\n", to: "queues/\(CraftedRing().run).to")
        let result = try CommandRun(["recover", directory.file("queues")], in: directory)
        #expect(result.end == .exited(0) && result.errors == "")
        #expect(result.output == "recovered 3 records into \(directory.file("logs/app.log"))")
        #expect(directory.lines("logs/app.log").count == 3)
        #expect(Directory.names(in: directory.file("queues")) == ["ledger"])
    }

    @Test(.enabled(if: geteuid() == 0 && Program.areThere("setpriv"), "only root can leave a queue to another user"))
    func `a user learns of a queue that root has left elsewhere for a log of the user`() throws {
        for name in ["logs", "logs/.taffrail", "queues"] { mkdir(directory.file(name), 0o755) }
        let ring = directory.leaveRing("queues", [("file:app.log", directory.file("logs/app.log"), 0)])
        chmod(ring, 0o600)
        try RingPointer.write(ring: ring, run: CraftedRing().run, in: directory.file("logs/.taffrail"))
        for name in ["logs", "logs/.taffrail"] { chown(directory.file(name), 65_534, 65_534) }
        chmod(directory.path, 0o755)
        let command = try #require(Program.path("taffrail"))
        let program = try Program(
            ["--reuid=65534", "--clear-groups", "--", command, "recover", directory.file("logs")], of: "setpriv",
            environment: CommandRun.environment(directory), errors: directory.file("errors"))
        #expect(program.readToEnd() == "recovered 0 records")
        #expect(program.end() != .exited(0))
        #expect(directory.text("errors").contains("\(ring): belongs to another user. To write the records, run "))
    }

    @Test func `log --stdin leaves the records of a program with processors to this program`() throws {
        try leaveRing { $0.setHasProcessors() }
        let log = try CommandRun(
            ["log", "info", "--stdin", "--file", directory.file("app.log")], in: directory, input: "x\n")
        #expect(log.end == .exited(0) && directory.messages == ["x"] && directory.rings.count == 1)
        #expect(log.errors.contains("is kept: its program has processors"))
        try directory.write(
            "processors: [{ redaction: { patterns: [\"token=\\\\S+\"] } }]\n"
                + "plugins: { file: { path: \(directory.path)/app.log } }", to: "taffrail.yaml")
        let recover = try CommandRun(
            ["recover", directory.path, "--config", directory.file("taffrail.yaml")], in: directory)
        #expect(recover.end == .exited(0) && directory.rings == [])
        #expect(directory.messages == ["x", "1 <redacted>", "2 <redacted>", "3 <redacted>"])
    }

    /// Writes a configuration with the log.
    private func configure(_ text: String = "") throws -> String {
        try RunningCommand.replace(text + "plugins: { file: { path: DIR/app.log } }\n", in: directory)
        return directory.file("taffrail.yaml")
    }

    private static let redaction = "processors: [{ redaction: { patterns: [\"token=\\\\S+\"] } }]\n"

    @Test(arguments: [false, true])
    func `a configuration without processors does not take the place of those of the program`(_ isNamed: Bool) throws {
        try leaveRing { $0.setHasProcessors() }
        let file = try configure()
        let kept = try CommandRun(
            ["recover", directory.path] + (isNamed ? ["--config", file] : []), in: directory,
            environment: isNamed ? [:] : ["TAFFRAIL_CONFIG": file])
        #expect(kept.end == .exited(65) && kept.output == "recovered 0 records", "\(kept)")
        let ring = try #require(directory.rings.first)
        #expect(kept.errors.hasPrefix("taffrail: ") && kept.errors.split(separator: "\n").count == 1)
        let reason = "--config FILE names them, --raw writes what they would remove"
        #expect(kept.errors.hasSuffix("\(ring): its program has processors or a filter; \(reason)\n"), "\(kept)")
        #expect(directory.rings.count == 1 && directory.messages == [])
        _ = try configure(Self.redaction)
        let result = try CommandRun(["recover", directory.path, "--config", file], in: directory)
        #expect(result.end == .exited(0) && directory.rings == [], "\(result)")
        #expect(directory.messages == ["1 <redacted>", "2 <redacted>", "3 <redacted>"])
    }

    @Test func `recover --raw with a configuration writes what processors that it does not have would remove`() throws {
        try leaveRing { $0.setHasProcessors() }
        let result = try CommandRun(["recover", directory.path, "--raw", "--config", try configure()], in: directory)
        #expect(result.end == .exited(0) && directory.rings == [], "\(result)")
        #expect(directory.messages == ["1 token\\=abc", "2 token\\=abc", "3 token\\=abc"])
        // Those that it has remain in use.
        try leaveRing { $0.setHasProcessors() }
        let file = try configure(Self.redaction)
        let raw = try CommandRun(["recover", directory.path, "--raw", "--config", file], in: directory)
        #expect(raw.end == .exited(0))
        #expect(directory.messages.suffix(3) == ["1 <redacted>", "2 <redacted>", "3 <redacted>"])
    }

    @Test func `guards of a configuration suffice for the ring of a program that had only guards`() throws {
        try leaveRing { $0.setHasProcessors(onlyGuards: true) }
        let without = try CommandRun(["recover", directory.path, "--config", try configure()], in: directory)
        #expect(without.end == .exited(65) && directory.rings.count == 1, "\(without)")
        let zone = "privacy: { zones: [{ latitude: 55.6761, longitude: 12.5683, radius: 300 }] }\n"
        let with = try CommandRun(["recover", directory.path, "--config", try configure(zone)], in: directory)
        #expect(with.end == .exited(0) && directory.rings == [] && directory.messages.count == 3, "\(with)")
        try leaveRing { $0.setHasProcessors() }
        let file = directory.file("taffrail.yaml")
        #expect(try CommandRun(["recover", directory.path, "--config", file], in: directory).end == .exited(65))
        #expect(directory.rings.count == 1 && directory.messages.count == 3)
    }

    @Test func `log --stdin leaves the records of a log in another format to its program`() throws {
        try leaveRing { $0.setLog(slot: 0, encoder: "json", destination: "app.log") }
        let log = try CommandRun(
            ["log", "info", "--stdin", "--file", directory.file("app.log")], in: directory, input: "x\n")
        #expect(log.end == .exited(0) && directory.messages == ["x"] && directory.rings.count == 1)
        #expect(try CommandRun(["recover", directory.path], in: directory).end == .exited(0))
        #expect(directory.lines("app.log").count { $0.hasPrefix("{") } == 3 && directory.rings == [])
    }
}
#endif
