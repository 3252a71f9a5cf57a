#if Command
internal import ArgumentParser
internal import Taffrail

/// Directories on a command line.
enum DirectoryArgument {
    /// Checks that a directory can be listed.
    ///
    /// - Parameter mustExist: Whether a missing directory, or a file, is an error too. Default `true`.
    /// - Throws: Exit status 66 or 77, which has been reported.
    static func check(_ path: String, mustExist: Bool = true) throws(ExitCode) {
        do throws(SystemError) { _ = try Directory.entries(of: path) } catch {
            guard error.isMissing else { throw ExitCode(reading: error).reporting(error) }
            if mustExist { throw .noInput.reporting("\(path): no such directory") }
        }
    }
}
#endif
