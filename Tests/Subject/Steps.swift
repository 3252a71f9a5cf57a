import Glibc
import Taffrail

/// Performs the given steps in turn, and prints each result.
struct Steps {
    private let options: FileOptions
    private let pipeline: Pipeline
    private var lines = 0

    init(_ options: FileOptions) throws {
        self.options = options
        pipeline = try makePipeline(options)
    }

    /// - Parameter words: `log:COUNT`, `flush`, `shutdown`, `delete` (the live file), `become:UID`, `kill`, `fork-closed`.
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
            case "flush": say("flush \(pipeline.flush(timeout: .seconds(5)))")
            case "shutdown": say("shutdown \(pipeline.shutdown(timeout: .seconds(5)))")
            case "delete": unlink(options.path)
            case "become":
                setgroups(0, nil)
                say("become \(setgid(gid_t(number)) == 0 && setuid(uid_t(number)) == 0)")
            case "kill": kill(getpid(), SIGKILL)
            case "fork-closed": say("child \(forkClosed())")
            default: say("unknown step \(word)")
            }
        }
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
        if !pipeline.flush(timeout: .seconds(5)) { _exit(8) }
        write("second\n")
        if !pipeline.shutdown(timeout: .seconds(5)) { _exit(7) }
        write("third\n")
        _exit(0)
    }
}
