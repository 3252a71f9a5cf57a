#if Command && Configuration
import Foundation
import Glibc
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

/// `taffrail log --stdin`: the lines that it acknowledges, and its behaviour on failure.
@Suite(.mayBlock) struct StandardInputTests {
    let directory = TemporaryDirectory()

    /// Writes numbered lines to be logged.
    private func makeInput(_ count: Int) throws {
        let padding = String(repeating: "-", count: 40)
        try directory.append((1...count).map { "line \($0) \(padding)\n" }.joined(), to: "input")
    }

    /// Starts logging the input, with the echo in a file.
    private func start(_ log: String, _ options: String = "--tee") throws -> Program {
        let command = "exec \"$0\" log info --stdin \(options) --file \"$1\" <\"$2/input\" >\"$2/echo\" 2>\"$2/errors\""
        return try Program(
            ["-c", command, Program.products + "/taffrail", log, directory.path], of: "/bin/sh",
            environment: CommandRun.environment(directory))
    }

    /// Waits until a queue on a full disk holds as much as it takes then.
    private func queueIsFull(_ disk: SmallDisk) async -> Bool {
        await eventually {
            guard let queue = (try? QueueStatus.read(directory: disk.directory.path))?.queues.first else {
                return false
            }
            return queue.depth > queue.capacity / 4 * 3 - (256 << 10)
        }
    }

    /// Waits until a program only waits itself: many consecutive checks find its main thread asleep.
    private func isWaiting(_ process: Program) async -> Bool {
        var looks = 0
        return await eventually {
            let status = (try? String(contentsOfFile: "/proc/\(process.pid)/stat", encoding: .utf8)) ?? ""
            // The state follows the name, which is in parentheses.
            looks = status.split(separator: ")").last?.hasPrefix(" S ") == true ? looks + 1 : 0
            return looks == 50
        }
    }

    private func expectEchoed(in disk: SmallDisk, count: Int? = nil) {
        let logged = Set(disk.directory.messages)
        var echoed = directory.lines("echo")
        // A kill in the middle of a write leaves part of a line, which acknowledges nothing but must come from one.
        if !directory.text("echo").hasSuffix("\n"), let part = echoed.popLast() {
            #expect(logged.contains { $0.hasPrefix(part) })
        }
        let lost = echoed.filter { !logged.contains($0) }
        #expect(lost.isEmpty, "\(lost.count) of \(echoed.count) echoed lines are not in the log")
        #expect(!echoed.isEmpty)
        if let count { #expect(echoed.count == count && logged.count == count) }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `on a full disk the input waits, and no line is lost`() async throws {
        let disk = try SmallDisk("11m")
        try makeInput(200_000)
        let process = try start(disk.directory.file("app.log"))
        #expect(await queueIsFull(disk))
        try disk.grow("64m")
        #expect(process.end() == .exited(0))
        expectEchoed(in: disk, count: 200_000)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `lines echoed before a kill on a full disk are in the log`() async throws {
        let disk = try SmallDisk("11m")
        try makeInput(200_000)
        let process = try start(disk.directory.file("app.log"))
        #expect(await queueIsFull(disk))
        process.send(SIGKILL)
        #expect(process.end() == .killed(SIGKILL))
        try disk.grow("64m")
        #expect(try CommandRun(["recover", disk.directory.path], in: directory).end == .exited(0))
        expectEchoed(in: disk)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `without space for a queue a line is echoed when the log has it`() async throws {
        let disk = try SmallDisk("1m")
        try makeInput(60_000)
        let process = try start(disk.directory.file("app.log"))
        #expect(await eventually { directory.text("errors").contains("no sink is accepting records") })
        #expect(await isWaiting(process))
        process.send(SIGKILL)
        #expect(process.end() == .killed(SIGKILL))
        #expect(directory.text("errors").contains("the queue is in memory"))
        #expect(disk.directory.rings == [])
        expectEchoed(in: disk)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `lines that are dropped instead of waiting are counted`() async throws {
        let disk = try SmallDisk("11m")
        try makeInput(200_000)
        let process = try start(disk.directory.file("app.log"), "--tee --no-wait")
        // It ends by itself; records that did not fit on the disk are in its queue.
        #expect(process.end() == .exited(74))
        let last = directory.lines("errors").last ?? ""
        let lost = last.split(separator: " ").compactMap { Int($0) }.first ?? 0
        #expect(last == "taffrail: \(lost) lines were lost")
        #expect(lost > 0 && directory.lines("echo").count == 200_000 - lost)
        try disk.grow("64m")
        #expect(try CommandRun(["recover", disk.directory.path], in: directory).end == .exited(0))
        expectEchoed(in: disk)
    }

    @Test(arguments: [[], ["--tee"]])
    func `with a queue in memory the input continues while one of two logs cannot be written`(
        _ options: [String]
    ) async throws {
        mkdir(directory.file("second"), 0o700)
        let configuration = """
            queue: { durable: false }
            plugins: { file: { path: DIR/app.log }, second: { type: file, path: DIR/second/app.log } }
            """
        try directory.write(configuration.replacing("DIR", with: directory.path), to: "taffrail.yaml")
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        let process = try Program(
            ["log", "info", "--stdin", "--config", directory.file("taffrail.yaml")] + options, of: "taffrail",
            in: directory, environment: CommandRun.environment(directory), output: "echo", input: ends[0])
        close(ends[0])
        for line in ["one", "two", "three"] {
            #expect(Array((line + "\n").utf8).withUnsafeBytes { Glibc.write(ends[1], $0.baseAddress, $0.count) } > 0)
            #expect(await eventually { directory.messages.last == line })
            if options != [] { #expect(await eventually { directory.lines("echo").last == line }) }
            guard line == "one" else { continue }
            #expect(await eventually { directory.text("second/app.log").contains(line) })
            // From here on there is a file in place of the directory.
            rename(directory.file("second"), directory.file("gone"))
            try directory.write("", to: "second")
        }
        #expect(directory.text("errors").contains("retrying"))
        process.send(SIGKILL)
        #expect(process.end() == .killed(SIGKILL))
    }

    @Test func `a line longer than a record is not echoed, and an error`() throws {
        let long = String(repeating: "x", count: 5 << 20)
        try directory.append("one\n\(long)\ntwo", to: "input")
        #expect(try start(directory.file("app.log")).end() == .exited(65))
        #expect(directory.text("echo") == "one\ntwo\n")
        #expect(directory.text("errors") == "taffrail: 1 line was truncated to the maximum length of a record\n")
        #expect(directory.messages.count == 3)
    }

    @Test func `an echo that cannot be written is an error, one that is not read is not`() throws {
        try makeInput(3)
        let log = directory.file("app.log")
        symlink("/dev/full", directory.file("echo"))
        #expect(try start(log).end() == .exited(74))
        #expect(directory.text("errors") == "taffrail: cannot echo: No space left on device\n")
        #expect(directory.messages.count == 3)
        let command = "\"$0\" log info --stdin --tee --file \"$1\" <\"$2/input\" | :"
        let unread = try Program(
            ["-c", command, Program.products + "/taffrail", log, directory.path], of: "/bin/sh",
            environment: CommandRun.environment(directory))
        #expect(unread.readToEnd() == "")
        #expect(unread.end() == .exited(0))
    }

    @Test func `a reader that closes its pipe ends the echo, and all lines are in the log`() throws {
        try #require(mkfifo(directory.file("echo"), 0o600) == 0)
        let reader = open(directory.file("echo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        var ends: [CInt] = [-1, -1]
        try #require(reader >= 0 && pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = try Program(
            ["log", "info", "--stdin", "--tee", "--file", directory.file("app.log")], in: directory,
            environment: CommandRun.environment(directory), output: "echo", input: ends[0])
        close(ends[0])
        #expect(write(ends[1], "line 1\n", 7) == 7)
        var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&waiting, 1, 60_000) == 1)
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(reader, &bytes, bytes.count) == 7)
        close(reader)
        for number in 2...3 { #expect(write(ends[1], "line \(number)\n", 7) == 7) }
        close(ends[1])
        #expect(process.end() == .exited(0))
        #expect(directory.text("errors") == "")
        #expect(directory.messages == ["line 1", "line 2", "line 3"])
    }

    // MARK: Descriptors that do not block

    @Test func `an input that another program has made non-blocking is waited for`() async throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        let process = try Program(
            ["log", "info", "--stdin", "--tee", "--file", directory.file("app.log")], in: directory,
            environment: CommandRun.environment(directory), output: "echo", input: ends[0])
        for number in 1...2 {
            try #require(await isWaiting(process), "\(directory.text("errors"))")
            #expect(write(ends[1], "line \(number)\n", 7) == 7)
            #expect(await eventually { directory.lines("echo").count == number })
        }
        // Not before: without a reader the writes would raise a signal.
        for end in ends { close(end) }
        #expect(process.end() == .exited(0))
        #expect(directory.text("errors") == "")
        #expect(directory.messages == ["line 1", "line 2"])
    }

    @Test(.enabled(if: Program.areThere("python3"), "python3 is not installed"))
    func `the reader of an echo that another program has made non-blocking is waited for`() async throws {
        try makeInput(4_000)
        try #require(mkfifo(directory.file("echo"), 0o600) == 0)
        let reader = open(directory.file("echo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let input = open(directory.file("input"), O_RDONLY | O_CLOEXEC)
        try #require(reader >= 0 && input >= 0)
        let script = "import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])"
        let arguments = ["log", "info", "--stdin", "--tee", "--file", directory.file("app.log")]
        let process = try Program(
            ["-c", script, Program.products + "/taffrail"] + arguments, of: "python3", in: directory,
            environment: CommandRun.environment(directory), output: "echo", input: input)
        close(input)
        // The pipe is full.
        try #require(await isWaiting(process), "\(directory.text("errors"))")
        _ = fcntl(reader, F_SETFL, 0)
        var echo: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(reader, &buffer, buffer.count)
            guard count > 0 else { break }
            echo += buffer[..<count]
        }
        close(reader)
        #expect(process.end() == .exited(0))
        #expect(directory.text("errors") == "")
        let isWhole = echo == Array(directory.text("input").utf8)
        #expect(isWhole && directory.messages.count == 4_000)
    }
}
#endif
