import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail

/// Debian's logrotate on a log that is being written.
@Suite(.heavy, .enabled(if: Logrotate.isThere, "logrotate is not installed"))
struct LogrotateTests {
    let directory = TemporaryDirectory()

    /// Starts writers, runs logrotate again and again until they are done, and once more.
    ///
    /// - Returns: How often it rotated.
    func rotate(_ options: String, while writers: [Program]) throws -> Int {
        let logrotate = try Logrotate(directory, options: options)
        var rotations = 0
        var running = writers
        while !running.isEmpty {
            running.removeAll { kill($0.pid, 0) != 0 || $0.hasEnded }
            try logrotate.run()
            rotations += 1
        }
        for writer in writers { #expect(writer.end() == .exited(0)) }
        return rotations
    }

    var texts: [String] { directory.names.filter { $0.hasPrefix("app") }.map { directory.text($0) } }

    @Test func `a log that logrotate renames loses and duplicates nothing`() throws {
        let log = directory.file("app.log")
        let writers = try (0..<2).map { try Program.subject(["count", log, "60000", "\($0)"]) }
        let rotations = try rotate("nocreate\nrotate 10000", while: writers)
        #expect(rotations >= 2)
        #expect(directory.names.contains { $0.hasPrefix("app.log.") })
        let messages = texts.joined().split(separator: "\n").filter { $0.contains("from ") }
            .map { $0.split(separator: "] ", maxSplits: 2).last ?? "" }
        #expect(messages.count == 120_000)
        #expect(Set(messages).count == 120_000)
    }

    @Test func `a log that logrotate creates again is continued`() throws {
        let log = directory.file("app.log")
        let writers = [try Program.subject(["count", log, "60000", "0"])]
        _ = try rotate("create 0600\nrotate 10000", while: writers)
        let count = texts.joined().split(separator: "\n").filter { $0.contains("from ") }.count
        #expect(count == 60_000)
    }

    @Test func `a log that logrotate truncates continues from its start, with whole lines and no gaps of zeros`() throws
    {
        let log = directory.file("app.log")
        let writers = [try Program.subject(["count", log, "60000", "0"])]
        let rotations = try rotate("copytruncate\nrotate 10000", while: writers)
        #expect(rotations >= 2)
        // Lines may be lost while logrotate copies, and a copy may end in the middle of one; but there must be no zeros
        // in front, and the live file must not be torn.
        #expect(texts.allSatisfy { !$0.utf8.contains(0) })
        let live = directory.lines("app.log")
        #expect(live.allSatisfy { $0.hasPrefix("[") && $0.contains("] [INFO] ") })
        let messages = texts.joined(separator: "\n").split(separator: "\n").filter { $0.contains(" n ") }
        #expect(messages.count > 1000)
    }
}

/// One configuration of logrotate.
struct Logrotate {
    static let path = "/usr/sbin/logrotate"
    static var isThere: Bool { access(path, X_OK) == 0 }

    private let directory: TemporaryDirectory
    private let configuration: TemporaryDirectory

    init(_ directory: TemporaryDirectory, options: String) throws {
        self.directory = directory
        configuration = TemporaryDirectory()
        try configuration.append("\(directory.file("app.log")) {\nsize 1\nmissingok\n\(options)\n}\n", to: "conf")
        chmod(configuration.file("conf"), 0o644)
    }

    /// Rotates unconditionally.
    func run() throws {
        _ = try Program.run(
            ["-f", "-s", configuration.file("state"), configuration.file("conf")], of: Self.path)
    }
}

extension Program {
    /// Whether it has ended and only waits to be waited for.
    var hasEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }
}

/// libfaketime, which replaces a program's clock.
enum FakeTime {
    static let library: String? = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1" }
        .first { access($0, R_OK) == 0 }
}

/// The clock set back and forth by hours.
@Suite(.mayBlock, .enabled(if: FakeTime.library != nil, "libfaketime is not installed"))
struct FakeTimeTests {
    let directory = TemporaryDirectory()

    @Test func `a clock that goes back and forth by hours loses nothing and keeps the files in order`() throws {
        let library = try #require(FakeTime.library)
        let offsets = ["+0", "+5h", "-7h", "+30m", "-48h", "+2h", "-1h"]
        for (run, offset) in offsets.enumerated() {
            let arguments = ["count-hourly", directory.file("app.log"), "2000", "\(run)"]
            let subject = try Program.subject(
                arguments,
                environment: [
                    "LD_PRELOAD": library, "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                    "SUBJECT_ARGUMENTS": (["subject"] + arguments).joined(separator: "|"),
                ])
            #expect(subject.end() == .exited(0))
        }
        let messages = directory.messages
        #expect(messages.count == offsets.count * 2000)
        let isInOrder = messages == (0..<offsets.count).flatMap { run in (0..<2000).map { "from \(run) n \($0)" } }
        #expect(isInOrder)
        #expect(directory.logs.count > offsets.count)
    }
}
