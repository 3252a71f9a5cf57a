#if Configuration
internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Locates a program's configuration.
public enum ConfigurationPath {
    /// Returns the first existing configuration file: the one in `TAFFRAIL_CONFIG`, `taffrail.yaml` in the working
    /// directory, `taffrail/taffrail.yaml` in `$XDG_CONFIG_HOME` (default `~/.config`), `/etc/taffrail/taffrail.yaml`.
    ///
    /// The value of `TAFFRAIL_CONFIG` is returned even if the file does not exist, so that reading it reports the
    /// error.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - directory: The working directory; `nil` for the process's own.
    /// - Returns: `nil` when there is no configuration.
    public static func find(environment: [String: String], in directory: String? = nil) -> String? {
        if let named = environment["TAFFRAIL_CONFIG"], !named.isEmpty { return named }
        return candidates(environment: environment, in: directory).first(where: FileName.exists)
    }

    /// Returns the paths searched if `TAFFRAIL_CONFIG` is not set, in this order.
    package static func candidates(environment: [String: String], in directory: String? = nil) -> [String] {
        var candidates = [directory.map { "\($0)/taffrail.yaml" } ?? "taffrail.yaml"]
        if let home = environment["XDG_CONFIG_HOME"], home.hasPrefix("/") {
            candidates.append("\(home)/taffrail/taffrail.yaml")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            candidates.append("\(home)/.config/taffrail/taffrail.yaml")
        }
        candidates.append("/etc/taffrail/taffrail.yaml")
        return candidates
    }

    /// Returns the first existing configuration file, for the environment and working directory of the process.
    public static func find() -> String? { find(environment: Environment.variables) }

    /// The maximum length of a configuration, in bytes.
    private static let limit = 1 << 20

    /// Returns the contents of a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - isAgain: Whether it is read again, which requires a regular file.
    /// - Throws: ``ConfigurationError`` with one problem.
    static func text(of path: String, isAgain: Bool = false) throws(ConfigurationError) -> String {
        func problem(_ message: String) -> ConfigurationError {
            ConfigurationError([ConfigurationProblem(file: path, message: message)])
        }
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor(path, [.read, .nonBlocking]) } catch {
            throw problem("cannot be opened: \(Errno.text(error.code))")
        }
        guard let status = try? file.status(), !status.isDirectory else { throw problem("is a directory, not a file") }
        guard !isAgain || status.isRegular else {
            throw problem("is not a regular file, so it is read only at the start")
        }
        // A pipe that has a writer is read to its end; one without is empty.
        _ = fcntl(file.number, F_SETFL, 0)
        var bytes: [UInt8]
        do throws(SystemError) { bytes = try file.readAll(limit: limit + 1) } catch {
            throw problem("cannot be read: \(Errno.text(error.code))")
        }
        guard bytes.count <= limit else { throw problem("is longer than 1 MiB") }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if bytes.starts(with: byteOrderMark) { bytes.removeFirst(byteOrderMark.count) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("is not valid UTF-8") }
        return text
    }
}
#endif
