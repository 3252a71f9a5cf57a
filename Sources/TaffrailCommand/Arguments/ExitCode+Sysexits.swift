#if Command
internal import ArgumentParser

/// The exit statuses of sysexits.h that the command uses.
extension ExitCode {
    /// 65: invalid input.
    static let dataError = ExitCode(65)
    /// 66: an input does not exist.
    static let noInput = ExitCode(66)
    /// 69: a required program or service is missing.
    static let unavailable = ExitCode(69)
    /// 73: an output cannot be created.
    static let cannotCreate = ExitCode(73)
    /// 74: reading or writing failed.
    static let inputOutput = ExitCode(74)
    /// 75: it may succeed later.
    static let temporaryFailure = ExitCode(75)
    /// 77: this user may not use a file.
    static let noPermission = ExitCode(77)
    /// 78: the configuration is invalid.
    static let badConfiguration = ExitCode(78)

    /// Prints an error, and returns the exit status.
    func reporting(_ error: some Error) -> ExitCode { reporting("\(error)") }

    /// Prints a message, and returns the exit status.
    func reporting(_ message: String) -> ExitCode {
        StandardStream.report(message)
        return self
    }
}
#endif
