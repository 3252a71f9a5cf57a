internal import Glibc

/// Finds the logs that a path means: itself, or those in a directory.
enum LogCatalog {
    /// A path that cannot be read, and why.
    struct Refusal: Error {
        let reason: String
    }

    /// The logs of a path.
    ///
    /// - Returns: The logs; where the path is a directory, also its name, in which more may appear.
    static func logs(at path: String) throws(Refusal) -> (logs: [LogDirectory], directory: String?) {
        var info = stat()
        if stat(path, &info) != 0 {
            let code = errno
            // A live file may be missing while rotated ones or rings are there.
            if code == ENOENT, let log = LogDirectory(ofLog: path),
                (try? log.rotatedFiles())?.isEmpty == false || !RingSet(of: log).isEmpty
            {
                return ([log], nil)
            }
            throw Refusal(reason: "\(path): \(String(cString: strerror(code)))")
        }
        if info.st_mode & S_IFMT == S_IFDIR {
            var directory = path
            while directory.utf8.count > 1, directory.hasSuffix("/") { directory.removeLast() }
            if directory.hasSuffix("/.taffrail") { directory.removeLast("/.taffrail".utf8.count) }
            return (try logs(in: directory), directory)
        }
        guard let target = realpath(path, nil) else {
            throw Refusal(reason: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { free(target) }
        // The name that counts is that of the file that a link leads to.
        let isLink = (try? FileStatus.of(path))?.isSymbolicLink == true
        guard let log = LogDirectory(ofLog: isLink ? String(cString: target) : path) else {
            throw Refusal(reason: "\(path): names no file")
        }
        return ([log], nil)
    }

    /// The logs in a directory: every file that is a live one, or the rotated rest of one.
    static func logs(in directory: String) throws(Refusal) -> [LogDirectory] {
        let entries: [Directory.Entry]
        do throws(SystemError) { entries = try Directory.entries(of: directory) } catch {
            throw Refusal(reason: "\(error)")
        }
        let names = entries.map(\.name).filter { !$0.hasPrefix(".") && !$0.hasSuffix(".tmp") }
        var bases: Set<String> = []
        for name in names {
            if let base = RotatedName.base(of: name) {
                bases.insert(base)
                continue
            }
            // Links lead to what is there itself, such as `app.current`.
            guard let status = try? FileStatus.of(directory + "/" + name), status.isRegular else { continue }
            bases.insert(name)
        }
        return bases.sorted().compactMap { LogDirectory(ofLog: directory + "/" + $0) }
    }
}

extension RotatedName {
    /// The base name of the log that a rotated file's name belongs to; `nil` for any other name.
    static func base(of name: String) -> String? {
        var bytes = Array(name.utf8)[...]
        for compression in [Compression.gzip, .zstd] where name.hasSuffix(compression.rawValue) {
            bytes = bytes.dropLast(compression.rawValue.utf8.count)
        }
        // `-YYYYMMDDTHHMMSS.mmmZ-NNNN`, from the right.
        let length = 26
        guard bytes.count > length else { return nil }
        for start in stride(from: bytes.count - length, through: 1, by: -1) where bytes[start] == UInt8(ascii: "-") {
            let base = String(decoding: bytes[..<start] + bytes[(start + length)...], as: UTF8.self)
            guard let log = LogDirectory(ofLog: "/" + base), RotatedName(name, of: log) != nil else { continue }
            return base
        }
        return nil
    }
}
