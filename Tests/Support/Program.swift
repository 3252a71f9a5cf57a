package import Foundation
internal import Glibc
internal import Taffrail

/// Another program, started by a test and ended with the value.
///
/// Its output goes to files in a directory, or into a pipe, which only one thread at a time may read.
package final class Program: Sendable {
    package let pid: pid_t
    private let isLeader: Bool
    private let result = Locked<End?>(nil)
    private let pipe: OutputPipe?

    /// The build directory of the package's programs.
    package static let products: String = {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (path as NSString).deletingLastPathComponent
    }()

    /// The first location of a program; `nil` if it is missing. `taffrail` is this package's program.
    package static func path(_ name: String) -> String? {
        if name.hasPrefix("/") { return name }
        let folders = [products, "/usr/local/bin", "/usr/sbin", "/usr/bin", "/bin"]
        return folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// Whether all of these programs exist.
    package static func areThere(_ names: String...) -> Bool { names.allSatisfy { path($0) != nil } }

    /// Starts a program; its output is appended to files of a directory.
    package init(
        _ arguments: [String], of program: String = "taffrail", in folder: TemporaryDirectory,
        environment: [String: String] = [:],
        output: String = "output", errors: String = "errors", input: CInt? = nil
    ) throws {
        pipe = nil
        isLeader = true
        pid = try Self.start(
            program, arguments, environment: environment,
            input: input.map { .descriptor($0) } ?? .file("/dev/null"), output: .file(folder.file(output)),
            errors: .file(folder.file(errors)), isLeader: true)
    }

    /// Starts a program whose standard output is read by ``readLine()`` and ``readToEnd()``.
    ///
    /// - Parameter errors: The file to which its standard error is appended; `nil`: the standard error of the tests.
    package init(
        _ arguments: [String], of program: String, environment: [String: String] = [:], input: CInt? = nil,
        errors: String? = nil
    ) throws {
        let (reading, writing) = try OutputPipe.make()
        pipe = reading
        isLeader = false
        defer { close(writing) }
        pid = try Self.start(
            program, arguments, environment: environment,
            input: input.map { .descriptor($0) } ?? .file("/dev/null"), output: .descriptor(writing),
            errors: errors.map { .file($0) } ?? .inherited)
    }

    /// Starts the program that the tests kill, with its standard output in a pipe.
    package static func subject(
        _ arguments: [String], environment: [String: String] = [:], input: CInt? = nil, errors: String? = nil
    ) throws -> Program {
        try Program(
            arguments, of: "TaffrailTestSubject", environment: environment, input: input, errors: errors)
    }

    deinit { kill() }

    package func send(_ signal: CInt) { Glibc.kill(pid, signal) }

    /// Kills the program and its children.
    package func kill() {
        result.withLock { end in
            guard end == nil else { return }
            Glibc.kill(isLeader ? -pid : pid, SIGKILL)
            end = Self.reap(pid, 0)
        }
    }

    /// Reads one line of the output; `nil` at its end.
    package func readLine() -> String? { pipe?.readLine() }

    /// Reads the output to its end, without the last line break.
    package func readToEnd() -> String { pipe?.readToEnd() ?? "" }

    /// Whether it has not ended yet.
    package var isRunning: Bool { ending == nil }

    private var ending: End? {
        result.withLock { end in
            end = end ?? Self.reap(pid, WNOHANG)
            return end
        }
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: The exit status, or 128 and the signal that killed it.
    @discardableResult
    package func wait() async -> CInt {
        while true {
            if let ending { return ending.code }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// How a program ended.
    package enum End: Equatable, Sendable {
        case exited(CInt)
        case killed(CInt)

        /// The exit status, or 128 and the signal.
        package var code: CInt {
            switch self {
            case .exited(let code): code
            case .killed(let signal): 128 + signal
            }
        }
    }

    /// Waits for the end of the program on this thread, which may block.
    @discardableResult
    package func end() -> End {
        // Without the lock, because another thread may query the state or kill the program meanwhile.
        var ended = siginfo_t()
        while waitid(P_PID, id_t(pid), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        return result.withLock { end in
            end = end ?? Self.reap(pid, 0)
            return end ?? .exited(-1)
        }
    }

    /// Runs a program to its end on this thread, for a test that may block.
    ///
    /// - Parameter input: The program's standard input.
    package static func run(
        _ arguments: [String], of program: String = "taffrail", environment: [String: String] = [:], input: String = ""
    ) throws -> (code: CInt, output: String, errors: String) {
        let folder = TemporaryDirectory()
        try folder.write(input, to: "input")
        let pid = try start(
            program, arguments, environment: environment, input: .file(folder.file("input")),
            output: .file(folder.file("output")), errors: .file(folder.file("errors")), isLeader: true)
        guard let end = reap(pid, 0) else { throw POSIXError(.ECHILD) }
        return (end.code, folder.text("output"), folder.text("errors"))
    }

    /// Runs a program and waits for it. Its stderr is in the directory's file `errors`, too.
    package static func run(
        _ arguments: [String], of program: String = "taffrail", in folder: TemporaryDirectory? = nil,
        environment: [String: String] = [:]
    ) async throws -> (code: CInt, output: String, errors: String) {
        let (own, output) = (folder ?? TemporaryDirectory(), "output-\(UUID().uuidString)")
        let code = try await Program(arguments, of: program, in: own, environment: environment, output: output).wait()
        return (code, own.text(output), own.text("errors"))
    }

    // MARK: Starting

    /// The source of a program's input, or the destination of its output.
    package enum Stream {
        /// A file; output is appended, and the file is created if missing.
        case file(String)
        case descriptor(CInt)
        /// The descriptor of the tests.
        case inherited
    }

    /// Starts a program with unblocked signals, although threads of a test may block them, and without the tests'
    /// descriptors except the three passed to it. Every test starts its programs here.
    ///
    /// - Parameter isLeader: Whether it has its own process group, so that its children can be ended with it.
    package static func start(
        _ program: String, _ arguments: [String], environment: [String: String], input: Stream, output: Stream,
        errors: Stream, isLeader: Bool = false
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        var opened: [CInt] = []
        defer {
            posix_spawn_file_actions_destroy(&actions)
            for descriptor in opened { close(descriptor) }
        }
        for (number, stream) in [input, output, errors].enumerated() {
            let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
            switch stream {
            case .file(let path): posix_spawn_file_actions_addopen(&actions, CInt(number), path, flags, 0o600)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(number))
            case .inherited:
                // Reopened if possible: a program such as ssh that makes it non-blocking would otherwise affect the
                // tests' descriptor, and lines of their report would be lost.
                let own = open("/proc/self/fd/\(number)", flags & ~O_CREAT | O_CLOEXEC)
                guard own >= 0 else { continue }
                opened.append(own)
                posix_spawn_file_actions_adddup2(&actions, own, CInt(number))
            }
        }
        // A socket or pipe of another test would stay open as long as this program runs.
        guard let closeOthers, closeOthers(&actions, 3) == 0 else { throw POSIXError(.ENOSYS) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | (isLeader ? POSIX_SPAWN_SETPGROUP : 0)))
        guard let path = path(program) else { throw POSIXError(.ENOENT) }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT) }
        return pid
    }

    /// `posix_spawn_file_actions_addclosefrom_np`, which glibc's headers declare only with _GNU_SOURCE.
    private static let closeOthers = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast(
            $0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt).self)
    }

    /// How a child ended; `nil` while it is running.
    package static func reap(_ pid: pid_t, _ options: CInt) -> End? {
        var status: CInt = 0
        var result = waitpid(pid, &status, options)
        while result < 0 && errno == EINTR { result = waitpid(pid, &status, options) }
        guard result == pid else { return nil }
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }
}
