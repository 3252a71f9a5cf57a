#if Command
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

/// `./get-logs -f`.
@Suite(.mayBlock) struct GetLogsFollowTests {
    private let logs = TemporaryDirectory()
    private let directory = TemporaryDirectory()

    private func follow(in shell: [String], path: String = "/usr/bin:/bin") throws -> Program {
        let environment = [
            "HOME": directory.file("home"), "XDG_CACHE_HOME": directory.file("cache"), "TAFFRAIL": "", "PATH": path,
        ]
        return try Program(
            Array(shell.dropFirst()) + [
                GetLogsTests.top + "/get-logs", "-f", "-o", directory.file("out.log"), logs.path,
            ],
            of: shell[0], environment: environment, errors: directory.file("errors"))
    }

    @Test(arguments: GetLogsTests.shells) func `a log is followed over its rotations`(shell: [String]) throws {
        try logs.append("first n=-1\n", to: "app.log")
        let process = try follow(in: shell)
        #expect(process.readLine() == "first n=-1")
        let writer = try Program.subject(["count-small", logs.file("app.log"), "20000", "w"])
        #expect(writer.end() == .exited(0))
        var next = 0
        while next < 20000, let line = process.readLine() {
            guard line.hasSuffix(" n \(next)") else {
                Issue.record("\(line) instead of \(next)")
                break
            }
            next += 1
        }
        process.send(SIGTERM)
        #expect(process.end() == .exited(143))
        #expect(directory.lines("out.log").filter { $0.contains("from w") }.count == 20000)
        #expect(directory.text("errors") == "")
    }

    /// A change of the directory of logs between two looks at it, and what is followed then.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var start = ["first"]
        /// Commands of the shell, one step before each look.
        let steps: [String]
        let more: [String]
    }

    private static let (older, newer) = ("app-20260105T143000.000Z-0000.log", "app-20260105T143001.000Z-0000.log")

    static let changes = [
        Change(
            testDescription: "rotated", steps: ["echo second >>app.log; mv app.log \(older); echo 3 >app.log"],
            more: ["second", "3"]),
        Change(
            testDescription: "truncated and rotated",
            steps: [": >app.log", "echo new >>app.log; mv app.log \(older); echo 3 >app.log"], more: ["new", "3"]),
        Change(
            testDescription: "truncated and rotated by logrotate",
            steps: [": >app.log", "echo new >>app.log; mv app.log app.log.1; echo 3 >app.log"], more: ["new", "3"]),
        Change(
            testDescription: "its last line written again, and rotated", start: ["l1", "l2"],
            steps: [
                "head -n 1 app.log >part; cat part >app.log",
                "echo l2 >>app.log; mv app.log \(older); echo l3 >app.log",
            ], more: ["l3"]),
        Change(
            testDescription: "rotated twice, the older file deleted",
            steps: [
                "echo 2 >>app.log; mv app.log \(older); echo 3 >app.log; mv app.log \(newer); rm \(older); echo 4 >app.log"
            ],
            more: ["2", "3", "4"]),
        Change(
            testDescription: "rotated twice and compressed",
            steps: [
                """
                echo 2 >>app.log; mv app.log \(older); gzip \(older)
                echo 3 >app.log; mv app.log \(newer); gzip \(newer); echo 4 >app.log
                """
            ],
            more: ["2", "3", "4"]),
        Change(
            testDescription: "rotated twice by logrotate",
            steps: [
                """
                mv app.log app.log.1; echo 2 >app.log
                mv app.log.1 app.log.2; mv app.log app.log.1; echo 3 >app.log
                """
            ],
            more: ["2", "3"]),
        Change(
            testDescription: "rotated twice by logrotate and compressed",
            steps: [
                """
                echo 2 >>app.log; mv app.log app.log.2; gzip app.log.2
                echo 3 >app.log; mv app.log app.log.1; echo 4 >app.log
                """
            ],
            more: ["2", "3", "4"]),
        Change(testDescription: "deleted", steps: ["rm app.log", "echo 2 >app.log"], more: ["2"]),
    ]

    @Test(arguments: GetLogsTests.shells, changes)
    func `a change between two looks neither leaves lines out nor doubles them`(shell: [String], change: Change)
        throws
    {
        try expectFollowed(change, by: shell)
    }

    @Test(
        .enabled(if: GetLogsUnreadableTests.canHideProc, "hiding /proc needs root and unshare"),
        arguments: GetLogsTests.shells,
        changes.filter { $0.testDescription.hasPrefix("truncated") || $0.testDescription.hasSuffix("compressed") })
    func `the same without proc`(shell: [String], change: Change) throws {
        try expectFollowed(change, by: GetLogsUnreadableTests.withoutProc(shell))
    }

    private func expectFollowed(_ change: Change, by shell: [String]) throws {
        for line in change.start { try logs.append("\(line)\n", to: "app.log") }
        // It sleeps between two looks.
        try stub(
            "sleep",
            """
            cd '\(logs.path)'
            for step in '\(directory.path)'/step-*; do
                [ -e "$step" ] || break
                . "$step"
                rm "$step"
                break
            done
            """)
        let process = try follow(in: shell, path: directory.file("bin") + ":/usr/bin:/bin")
        for line in change.start { #expect(process.readLine() == line) }
        for (number, step) in change.steps.enumerated() {
            try directory.write(step + "\n", to: "next")
            rename(directory.file("next"), directory.file("step-\(number)"))
        }
        for line in change.more { #expect(process.readLine() == line) }
        process.send(SIGTERM)
        #expect(process.end() == .exited(143))
        #expect(directory.lines("out.log") == change.start + change.more)
    }

    @Test(arguments: GetLogsTests.shells, 1...3)
    func `a rotation during a look is not taken for a truncation`(shell: [String], call: Int) throws {
        try logs.append("first\n", to: "app.log")
        let log = logs.file("app.log")
        // The first, second or third time that it asks for a file's inode or size, the log is rotated.
        try stub(
            "ls",
            """
            case "$1" in
            -d*)
                if rm '\(directory.file("rotate-"))'1 2>/dev/null; then
                    echo second >>'\(log)'
                    mv '\(log)' '\(logs.file(Self.older))'
                    echo 3 >'\(log)'
                fi
                for number in 2 3; do
                    mv '\(directory.file("rotate-"))'$number '\(directory.file("rotate-"))'$((number - 1)) 2>/dev/null
                done ;;
            esac
            """)
        let process = try follow(in: shell, path: directory.file("bin") + ":/usr/bin:/bin")
        #expect(process.readLine() == "first")
        try directory.write("", to: "rotate-\(call)")
        #expect(process.readLine() == "second" && process.readLine() == "3")
        process.send(SIGTERM)
        #expect(process.end() == .exited(143))
        #expect(directory.lines("out.log") == ["first", "second", "3"])
    }

    @Test(arguments: GetLogsTests.shells, ["cp app.log app.log.1; ", ""])
    func `a log that is truncated before it is read is reported, and followed without doubling lines`(
        shell: [String], copy: String
    ) throws {
        try expectReported(copy, by: shell)
    }

    @Test(
        .enabled(if: GetLogsUnreadableTests.canHideProc, "hiding /proc needs root and unshare"),
        arguments: GetLogsTests.shells)
    func `without proc, a log that is truncated before it is read is reported`(shell: [String]) throws {
        try expectReported("cp app.log app.log.1; ", by: GetLogsUnreadableTests.withoutProc(shell))
    }

    /// Truncates the log, after another command, while the file before it is read.
    private func expectReported(_ copy: String, by shell: [String]) throws {
        try logs.write("rotated\n", to: Self.older)
        try Gzip.compress(logs.file(Self.older))
        try logs.write("live1\nlive2\n", to: "app.log")
        let done = directory.file("done")
        try stub(
            "gzip",
            """
            cd '\(logs.path)'
            [ -e '\(done)' ] || { : >'\(done)'; \(copy): >app.log; echo n1 >>app.log; echo n2 >>app.log; }
            """)
        let process = try follow(in: shell, path: directory.file("bin") + ":/usr/bin:/bin")
        for line in ["rotated", "n1", "n2"] { #expect(process.readLine() == line) }
        // By now it has looked at the log again.
        try logs.append("n3\n", to: "app.log")
        #expect(process.readLine() == "n3")
        process.send(SIGTERM)
        #expect(process.end() == .exited(143))
        #expect(directory.lines("out.log") == ["rotated", "n1", "n2", "n3"])
        let problem = "truncated while it was read; try again"
        #expect(directory.text("errors") == "get-logs: \(logs.file("app.log")): \(problem)\n")
    }

    /// A program that runs a script before the real one.
    private func stub(_ name: String, _ script: String) throws {
        mkdir(directory.file("bin"), 0o700)
        try directory.append("#!/bin/sh\n\(script)\nexec /bin/\(name) \"$@\"\n", to: "bin/\(name)")
        chmod(directory.file("bin/\(name)"), 0o700)
    }
}
#endif
