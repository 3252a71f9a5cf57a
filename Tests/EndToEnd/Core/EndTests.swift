import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// The other ways in which a program ends, forks, or shares its log.
@Suite(.mayBlock) struct EndTests {
    private let directory = TemporaryDirectory()

    private var log: String { directory.path + "/app.log" }

    private func expectLines(_ count: Int) throws {
        let messages = directory.messages
        #expect(messages == (1...count).map { "line \($0)" })
    }

    @Test func `exit drains the queue and removes the ring`() throws {
        let subject = try Program.subject(["exit", log])
        #expect(subject.end() == .exited(3))
        try expectLines(1000)
        #expect(directory.rings == [])
    }

    @Test func `the end of main drains the queue`() throws {
        let subject = try Program.subject(["return", log])
        #expect(subject.end() == .exited(0))
        try expectLines(1000)
        #expect(directory.rings == [])
    }

    @Test func `after abort the ring has the records that the file lacks`() throws {
        let subject = try Program.subject(["abort", log], environment: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(subject.end() == .killed(SIGABRT))
        #expect(directory.rings.count == 1)
        let report = try LogRecovery.recover(directory: directory.path)
        #expect(report.refused == [])
        try expectLines(1000)
        #expect(directory.rings == [])
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `SIGTERM and SIGINT drain the queue and still kill`(signal: CInt) throws {
        let subject = try Program.subject(["wait", log])
        #expect(subject.readLine() == "ready")
        subject.send(signal)
        #expect(subject.end() == .killed(signal))
        try expectLines(1000)
        #expect(directory.rings == [])
    }

    @Test func `a program's own handler of SIGTERM stays`() throws {
        let subject = try Program.subject(["wait-with-handler", log])
        #expect(subject.readLine() == "ready")
        subject.send(SIGTERM)
        #expect(subject.end() == .exited(7))
        #expect(try LogRecovery.recover(directory: directory.path).refused == [])
        try expectLines(1)
    }

    @Test func `a forked child has its own queue and nothing is lost or duplicated`() throws {
        let subject = try Program.subject(["fork", log])
        #expect(subject.end() == .exited(0))
        let messages = directory.messages
        #expect(messages.filter { $0.hasPrefix("parent") } == (0..<1000).map { "parent n \($0)" })
        for child in 0..<3 {
            #expect(messages.filter { $0.hasPrefix("child\(child)") } == (0..<500).map { "child\(child) n \($0)" })
        }
        #expect(messages.count == 2500)
        #expect(directory.rings == [])
    }

    @Test func `two processes share a file: every line whole and once, rotation included`() throws {
        let subjects = try (0..<2).map { try Program.subject(["count", log, "20000", "\($0)"]) }
        for subject in subjects { #expect(subject.end() == .exited(0)) }
        let messages = directory.messages
        for process in 0..<2 {
            #expect(
                messages.filter { $0.hasPrefix("from \(process) ") } == (0..<20000).map { "from \(process) n \($0)" })
        }
        #expect(messages.count == 40000)
        #expect(directory.logs.count > 5)
    }

    @Test func `Logger.shared needs no set-up: app.log in the state directory, level info`() throws {
        let subject = try Program.subject(
            ["shared", "-"],
            environment: ["XDG_STATE_HOME": directory.path, "LOGS_DIRECTORY": "", "TAFFRAIL_LEVEL": ""])
        #expect(subject.end() == .exited(0))
        let text = try String(contentsOfFile: directory.path + "/TaffrailTestSubject/app.log", encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines.first?.hasSuffix("[INFO] Logger initialized") == true)
        let shape = /\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\] \[INFO\] line \d+/
        for line in lines.dropFirst() { #expect(line.wholeMatch(of: shape) != nil) }
    }

    @Test func `the environment overrides the defaults`() throws {
        let subject = try Program.subject(
            ["shared", "-"], environment: ["TAFFRAIL_FILE": log, "TAFFRAIL_LEVEL": "debug", "TAFFRAIL_KEEP": "0"])
        #expect(subject.end() == .exited(0))
        #expect(directory.messages == ["Logger initialized"] + (1...10).map { "line \($0)" } + ["not at level info"])
    }

    @Test func `the environment adds stdout, as text or JSON`() throws {
        for (format, start) in [("text", "["), ("json", #"{"time":"#)] {
            let subject = try Program.subject(
                ["shared", "-"], environment: ["TAFFRAIL_FILE": log, "TAFFRAIL_LEVEL": "", "TAFFRAIL_CONSOLE": format])
            let lines = subject.readToEnd().split(separator: "\n")
            #expect(subject.end() == .exited(0))
            #expect(lines.count == 11)
            #expect(lines.allSatisfy { $0.hasPrefix(start) })
        }
        #expect(directory.logLines.count == 22)
    }

    @Test func `another word for stdout is reported, and the log is as without it`() throws {
        let errors = directory.path + "/errors"
        let subject = try Program.subject(
            ["shared", "-"], environment: ["TAFFRAIL_FILE": log, "TAFFRAIL_LEVEL": "", "TAFFRAIL_CONSOLE": "xml"],
            errors: errors)
        #expect(subject.readToEnd() == "")
        #expect(subject.end() == .exited(0))
        let reported = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(reported.contains("taffrail: TAFFRAIL_CONSOLE=xml: must be text or json"))
        #expect(directory.logLines.count == 11)
    }

    @Test func `an invalid limit is reported and ignored, and the other one is in effect`() throws {
        func reported(_ environment: [String: String]) throws -> String {
            let own = TemporaryDirectory()
            let errors = own.file("errors")
            let subject = try Program.subject(
                ["shared", "-"], environment: ["TAFFRAIL_FILE": log, "TAFFRAIL_LEVEL": ""].merging(environment) { $1 },
                errors: errors)
            #expect(subject.end() == .exited(0))
            return own.text("errors")
        }
        #expect(
            try reported(["TAFFRAIL_KEEP": "-1", "TAFFRAIL_ROTATE_SIZE": "1GiB"])
                == "taffrail: TAFFRAIL_KEEP=-1: must be from 0 to 100000, not -1\n")
        #expect(
            try reported(["TAFFRAIL_KEEP": "3", "TAFFRAIL_ROTATE_SIZE": "12B"])
                == "taffrail: TAFFRAIL_ROTATE_SIZE=12B: must be from 1KiB to 1TiB, not 12B\n")
    }

    @Test func `a message on stderr is one line, whatever its path contains`() throws {
        let errors = directory.path + "/errors"
        let subject = try Program.subject(
            ["shared", "-"], environment: ["TAFFRAIL_FILE": "/proc/no\nforged: line/app.log", "TAFFRAIL_LEVEL": ""],
            errors: errors)
        #expect(subject.end() == .exited(0))
        let lines = try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("taffrail: the log goes to stderr: create /proc/no forged: line:") })
        #expect(!lines.contains { $0.hasPrefix("forged") })
    }

    @Test func `a terminal shows the location of the log, unless it is configured`() throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        defer { close(master) }
        var unlock: CInt = 0
        var number: CInt = 0
        // TIOCSPTLCK and TIOCGPTN, which glibc declares for GNU sources only.
        try #require(ioctl(master, 0x4004_5431, &unlock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        defer { close(slave) }
        func reported(_ file: String) throws -> String {
            let subject = try Program.subject(
                ["shared", "-"],
                environment: [
                    "XDG_STATE_HOME": directory.path, "LOGS_DIRECTORY": "", "TAFFRAIL_LEVEL": "",
                    "TAFFRAIL_CONSOLE": "",
                    "TAFFRAIL_FILE": file,
                ], errors: "/dev/pts/\(number)")
            #expect(subject.end() == .exited(0))
            // The kernel passes on what is written when it comes to it, in order: all of it is there before this mark.
            try #require(write(slave, "#", 1) == 1)
            var text = ""
            let isThere = waited {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(master, &bytes, bytes.count)
                text += String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
                return text.hasSuffix("#")
            }
            try #require(isThere)
            return String(text.dropLast())
        }
        #expect(try reported("") == "taffrail: the log is \(directory.path)/TaffrailTestSubject/app.log\r\n")
        #expect(try reported(log) == "")
    }

    @Test func `if the file cannot be written, the log goes to stderr, which is reported once`() throws {
        let errors = directory.path + "/errors"
        let subject = try Program.subject(
            ["shared", "-"], environment: ["TAFFRAIL_FILE": "/proc/nowhere/app.log", "TAFFRAIL_LEVEL": ""],
            errors: errors)
        #expect(subject.end() == .exited(0))
        let lines = try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("taffrail: the log goes to stderr") }.count == 1)
        #expect(lines.filter { $0.contains("[INFO] line ") }.count == 10)
    }
}
