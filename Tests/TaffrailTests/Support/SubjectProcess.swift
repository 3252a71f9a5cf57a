import Foundation
import Glibc

/// A program of this package, started by a test.
final class SubjectProcess {
    let pid: pid_t
    private let output: CInt
    private var isWaitedFor = false

    /// Where the package's programs have been built.
    static var products: String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }

    /// Starts a program with its standard output in a pipe.
    init(
        _ arguments: [String], of program: String = "TaffrailTestSubject", environment: [String: String] = [:],
        input: CInt? = nil, errors: String? = nil
    ) throws {
        var pipes: [CInt] = [0, 0]
        guard pipe(&pipes) == 0 else { throw POSIXError(.EMFILE) }
        for descriptor in pipes { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if let errors { posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
        // The threads of a test may block signals; a program that is started by hand does not.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let path = program.hasPrefix("/") ? program : Self.products + "/" + program
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        for pointer in argv + envp { free(pointer) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        close(pipes[1])
        output = pipes[0]
        self.pid = pid
        guard result == 0 else {
            isWaitedFor = true
            throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT)
        }
    }

    deinit {
        close(output)
        if !isWaitedFor {
            kill(pid, SIGKILL)
            _ = wait()
        }
    }

    /// Reads one line of the output.
    func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// Reads the output to its end.
    func readToEnd() -> String {
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        return lines.joined(separator: "\n")
    }

    /// How it ended.
    enum End: Equatable {
        case exited(CInt)
        case killed(CInt)
    }

    func wait() -> End {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        isWaitedFor = true
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }

    /// Whether it has not ended: its end of the output is open.
    var isRunning: Bool {
        var output = pollfd(fd: output, events: 0, revents: 0)
        return poll(&output, 1, 0) == 0
    }

    func send(_ signal: CInt) { kill(pid, signal) }
}
