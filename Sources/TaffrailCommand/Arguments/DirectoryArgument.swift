#if Command
internal import ArgumentParser
internal import Taffrail

/// Directories on a command line.
enum DirectoryArgument {
    /// Checks a directory.
    ///
    /// - Parameters:
    ///   - mustExist: Whether a missing directory, or a file, is an error too. Default `true`.
    ///   - isListed: Whether it must be possible to list it. Default `true`; else only files named in it are read.
    /// - Throws: Exit status 66 or 77, which has been reported.
    static func check(_ path: String, mustExist: Bool = true, isListed: Bool = true) throws(ExitCode) {
        do throws(SystemError) {
            if isListed { _ = try Directory.entries(of: path) } else { _ = try FileStatus.following(path) }
        } catch {
            guard error.isMissing else { throw ExitCode(reading: error).reporting(error) }
            if mustExist { throw .noInput.reporting("\(path): no such directory") }
        }
    }
}
#endif
