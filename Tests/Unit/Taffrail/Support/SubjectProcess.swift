import Foundation
import Glibc
import TaffrailTestSupport

/// A program of this package, started by a test. One thread at a time waits for it or reads from it.
final class SubjectProcess: @unchecked Sendable {
    let pid: pid_t
    private let output: CInt
    private var isWaitedFor = false
    /// Bytes read but not yet returned.
    private var pending: [UInt8] = []

    /// Starts a program with its standard output in a pipe.
    init(
        _ arguments: [String], of program: String = "TaffrailTestSubject", environment: [String: String] = [:],
        input: CInt? = nil, errors: String? = nil
    ) throws {
        var pipes: [CInt] = [0, 0]
        guard pipe(&pipes) == 0 else { throw POSIXError(.EMFILE) }
        for descriptor in pipes { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer { close(pipes[1]) }
        output = pipes[0]
        do {
            pid = try Program.start(
                program, arguments, environment: environment,
                input: input.map { .descriptor($0) } ?? .file("/dev/null"), output: .descriptor(pipes[1]),
                errors: errors.map { .file($0) } ?? .inherited)
        } catch {
            close(pipes[0])
            throw error
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
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeSubrange(...end) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            guard readMore() else { break }
        }
        defer { pending = [] }
        return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
    }

    /// Reads the output to its end, without the last line break.
    func readToEnd() -> String {
        while readMore() {}
        defer { pending = [] }
        if pending.last == UInt8(ascii: "\n") { pending.removeLast() }
        return String(decoding: pending, as: UTF8.self)
    }

    private func readMore() -> Bool {
        var part = [UInt8](repeating: 0, count: 65_536)
        var count = read(output, &part, part.count)
        while count < 0 && errno == EINTR { count = read(output, &part, part.count) }
        guard count > 0 else { return false }
        pending += part[..<count]
        return true
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
