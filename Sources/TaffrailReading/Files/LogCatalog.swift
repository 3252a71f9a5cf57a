internal import Taffrail

/// Finds the logs at a path: the log itself, or those in a directory.
enum LogCatalog {
    /// A path that cannot be read, and the reason.
    struct Refusal: Error {
        let reason: String
        /// Whether this user lacks permission.
        var isDenied = false
    }

    /// Returns the logs at a path.
    ///
    /// - Returns: The logs and, if the path is a directory, the directory, in which more logs may appear.
    static func logs(at path: String) throws(Refusal) -> (logs: [LogPath], directory: String?) {
        let status: FileStatus
        do throws(SystemError) { status = try .following(path) } catch {
            // The live file may be missing while rotated files or rings exist.
            if error.code == Errno.missing, let log = LogPath(ofLog: path),
                (try? log.rotatedNames())?.isEmpty == false || !RingSet(of: log).isEmpty
            {
                return ([log], nil)
            }
            throw Refusal(reason: "\(path): \(Errno.text(error.code))", isDenied: error.isDenied)
        }
        if status.isDirectory {
            var directory = path
            while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
            if directory.hasSuffix("/.taffrail") { directory.removeLast("/.taffrail".utf8.count) }
            return (try logs(in: directory), directory)
        }
        guard let target = DestinationPath.real(path) else {
            throw Refusal(reason: "\(path): \(Errno.text(Errno.missing))")
        }
        // For a link, the name of its target is used.
        let isLink = (try? FileStatus.of(path))?.isSymbolicLink == true
        guard let log = LogPath(ofLog: isLink ? target : path) else {
            throw Refusal(reason: "\(path): names no file")
        }
        return ([log], nil)
    }

    /// Returns the logs in a directory: every live file, and every log that has only rotated files. A configuration
    /// next to them (`.yaml`, `.yml`) is not a log.
    static func logs(in directory: String) throws(Refusal) -> [LogPath] {
        let entries: [Directory.Entry]
        do throws(SystemError) { entries = try Directory.entries(of: directory) } catch {
            throw Refusal(reason: "\(error)", isDenied: error.isDenied)
        }
        var bases: Set<String> = []
        // A log may have thousands of rotated files in sequence.
        var last: LogPath?
        for entry in entries where !entry.name.hasPrefix(".") && !entry.name.hasSuffix(".tmp") {
            if let last, RotatedName(entry.name, of: last) != nil { continue }
            if let base = RotatedName.base(of: entry.name) {
                bases.insert(base)
                last = LogPath(ofLog: directory + "/" + base)
                continue
            }
            // Links such as `app.current` refer to files that are found anyway.
            guard !entry.name.hasSuffix(".yaml"), !entry.name.hasSuffix(".yml") else { continue }
            let isRegular = entry.isRegular ?? (try? FileStatus.of(directory + "/" + entry.name))?.isRegular
            if isRegular == true { bases.insert(entry.name) }
        }
        return bases.sorted().compactMap { LogPath(ofLog: directory + "/" + $0) }
    }
}
