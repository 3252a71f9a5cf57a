internal import Glibc
internal import Taffrail
internal import TaffrailText

/// An installed program that the command runs.
struct ExternalProgram {
    let path: String

    /// Finds a program in the directories of `PATH`; `nil` if it is not installed.
    init?(_ name: String) {
        let directories = (Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        let paths: [String] = directories.map { "\($0)/\(name)" }
        guard let found = paths.first(where: { FileAccess.execution.error(at: $0) == 0 }) else { return nil }
        path = found
    }

    /// Runs it with bytes as its input and the command's own stdout and stderr, and waits for it.
    ///
    /// - Returns: Its exit status, or 128 plus the number of the signal that ended it.
    func run(_ arguments: [String], input: [UInt8]) throws(SystemError) -> CInt {
        try run(arguments, input: input, output: nil)
    }

    /// Runs it with bytes as its input, waits for it, and returns its output.
    func output(_ arguments: [String], input: [UInt8]) throws(SystemError) -> (status: CInt, bytes: [UInt8]) {
        let file = try FileDescriptor(inMemory: "what \(path) printed")
        let status = try run(arguments, input: input, output: file.number)
        return (status, try file.read(file.size, at: 0))
    }

    private func run(_ arguments: [String], input: [UInt8], output: CInt?) throws(SystemError) -> CInt {
        // A file, not a pipe, so that nothing has to be written while the program runs.
        let file = try FileDescriptor(inMemory: "the input of \(path)")
        try file.write(input)
        lseek(file.number, 0, SEEK_SET)
        return try run(arguments, from: file, output: output)
    }

    private func run(
        _ arguments: [String], from input: borrowing FileDescriptor, output: CInt?
    ) throws(SystemError) -> CInt {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.number, 0)
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, path, &actions, nil, &argv, environ)
        guard result == 0 else { throw SystemError("run \(path)", code: result) }
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0 {
            guard errno == EINTR else { throw SystemError("wait for \(path)") }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
