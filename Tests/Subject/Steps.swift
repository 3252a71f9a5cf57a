import Glibc
import Taffrail
import TaffrailGeo
import TaffrailText

/// Performs the given steps in turn, and prints each result.
struct Steps {
    private let options: FileOptions
    private let pipeline: Pipeline
    private var lines = 0
    /// Whether all sinks take what a child logs.
    private let areForChildren: Bool

    init(_ options: FileOptions) throws { self.init(options, try makePipeline(options)) }

    /// - Parameter options: Those of the pipeline's log file.
    init(_ options: FileOptions, _ pipeline: Pipeline) {
        self.options = options
        self.pipeline = pipeline
        areForChildren = true
    }

    /// Uses other sinks, and an input that waits.
    ///
    /// - Parameter areForChildren: Whether none of the sinks is one that a child finds in use.
    init(_ options: FileOptions, _ sinks: sending [any Sink], _ queue: QueueOptions, areForChildren: Bool) {
        self.options = options
        pipeline = Pipeline(sinks: sinks, queue: queue)
        self.areForChildren = areForChildren
        Pipeline.Running(pipeline).start(WaitingInput(), named: "waiting")
    }

    /// - Parameter words: `log:COUNT`, `locate:COUNT` (positions), `flush`, `drain`, `shutdown`, `reopen`, `delete` (the live file),
    ///   `become:UID`, `kill`, `read` (a line of the input), `fork` (a child that logs and flushes), `fork:COUNT` (a child that
    ///   logs so many lines and ends), `fork-closed`, `await:NAME` (until a file with that name is beside the log), `fail` (the
    ///   next sync that `FAIL_SYNC_OF` selects, see `TracedCalls`), `failed` (waits until it has).
    mutating func run(_ words: some Sequence<String>) {
        for word in words {
            let parts = word.split(separator: ":")
            let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
            switch parts[0] {
            case "log":
                for _ in 0..<number {
                    lines += 1
                    pipeline.logger.info("line \(lines)")
                }
            case "locate":
                for _ in 0..<number {
                    lines += 1
                    let fix = Location(latitude: 55 + Double(lines) * 1e-4, longitude: 12, timestamp: .now)
                    // All of them arrive, however fast the sink is.
                    while !pipeline.logger.offer(GeoEvent.location(fix).record()) { poll(nil, 0, 1) }
                }
            case "read": _ = readLine()
            case "fork": say("child \(parts.count > 1 ? fork(logging: number) : forkLogging())")
            case "flush": say("flush \(pipeline.flush(timeout: .seconds(60)))")
            case "drain": say("drain \(pipeline.drain(timeout: .seconds(60)))")
            case "shutdown": say("shutdown \(pipeline.shutdown(timeout: .seconds(60)))")
            case "reopen": pipeline.reopen()
            case "delete": unlink(options.path)
            case "become":
                setgroups(0, nil)
                say("become \(setgid(gid_t(number)) == 0 && setuid(uid_t(number)) == 0)")
            case "kill": kill(getpid(), SIGKILL)
            case "fork-closed": say("child \(forkClosed())")
            case "await": waitForFile(parts.count > 1 ? String(parts[1]) : "")
            case "fail": close(open(failureOrder, O_WRONLY | O_CREAT, 0o600))
            case "failed":
                for _ in 0..<60_000 where access(failureOrder, F_OK) == 0 { poll(nil, 0, 1) }
                say("failed \(access(failureOrder, F_OK) != 0)")
            default: say("unknown step \(word)")
            }
        }
    }

    private var failureOrder: String { getenv("FAIL_SYNC_IF").map { String(cString: $0) } ?? "" }

    /// Forks a child that logs and flushes.
    private func forkLogging() -> CInt {
        let pid = taffrailForkForTests()
        if pid == 0 {
            for n in 1...3 { pipeline.logger.info("child \(n)") }
            _exit(pipeline.flush() && pipeline.shutdown() ? 0 : 8)
        }
        var status: CInt = 0
        waitpid(pid, &status, 0)
        return status
    }

    /// Whether the log has a line with this message.
    private func hasLogged(_ message: String) -> Bool {
        guard let file = try? FileDescriptor(options.path, .read), let bytes = try? file.readAll(limit: 1 << 20) else {
            return false
        }
        return bytes.split(separator: UInt8(ascii: "\n")).contains {
            $0.suffix(message.utf8.count).elementsEqual(message.utf8)
        }
    }

    /// Waits for a file beside the log, which the test writes.
    private func waitForFile(_ name: String) {
        let directory = options.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let path = (directory + [Substring(name)]).joined(separator: "/")
        while access(path, F_OK) != 0 { poll(nil, 0, 1) }
    }

    /// Forks a child that logs and ends as programs do.
    ///
    /// - Returns: Its status.
    private func fork(logging count: Int) -> CInt {
        let pid = taffrailForkForTests()
        guard pid == 0 else {
            var status: CInt = 0
            waitpid(pid, &status, 0)
            return status
        }
        for number in 0..<count { pipeline.logger.info("child \(number + 1)") }
        exit(0)
    }

    /// Forks a child that closes all descriptors, opens its own files, and logs.
    private func forkClosed() -> CInt {
        let pid = taffrailForkForTests()
        guard pid == 0 else {
            var status: CInt = 0
            waitpid(pid, &status, 0)
            return status
        }
        for number in CInt(3)..<256 { close(number) }
        let files = (0..<10).map { open(options.path + ".own\($0)", O_RDWR | O_CREAT | O_APPEND, 0o600) }
        func write(_ text: String) {
            for file in files { if Glibc.write(file, text, text.utf8.count) != text.utf8.count { _exit(9) } }
        }
        write("first\n")
        pipeline.logger.info("child")
        // A sink that the parent uses is not flushed at all.
        let limit = Duration.seconds(areForChildren ? 60 : 1)
        if !pipeline.flush(timeout: limit), areForChildren { _exit(8) }
        for _ in 0..<60_000 where !hasLogged("child") { poll(nil, 0, 1) }
        write("second\n")
        if !pipeline.shutdown(timeout: limit), areForChildren { _exit(7) }
        write("third\n")
        _exit(0)
    }
}

/// An input that waits on a thread of its own until it is cancelled.
private struct WaitingInput: Input {
    func run(into pipeline: Pipeline) async { await DedicatedThread.run { _ = $0.wait(timeout: nil) } }
}
