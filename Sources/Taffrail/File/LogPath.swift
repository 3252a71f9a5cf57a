/// The path of a log: its directory, its base name, and the names derived from them.
package struct LogPath: Sendable {
    /// The directory's absolute path.
    package let path: String
    /// The live file's name in it.
    package let base: String
    /// The prefix of rotated names: the base name up to its last dot.
    let stem: String
    /// The suffix of rotated names: the last dot and the rest; empty without a dot.
    let suffix: String

    /// The longest base name, which leaves room for the additions of rotated, compressed and unfinished files.
    static let longestBase = 220

    /// Parses a log's path; `nil` when it does not end in a usable file name.
    package init?(ofLog log: String) {
        let absolute = LogPath.absolute(log)
        guard let directory = Directory.parent(of: absolute) else { return nil }
        let whole = Array(absolute.utf8)
        let bytes = whole[((whole.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
        let base = String(decoding: bytes, as: UTF8.self)
        guard !bytes.isEmpty, bytes.count <= LogPath.longestBase, base != ".", base != "..", !whole.contains(0)
        else { return nil }
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > bytes.startIndex ? $0 : nil } ?? bytes.endIndex
        path = directory
        self.base = base
        stem = String(decoding: bytes[..<dot], as: UTF8.self)
        suffix = String(decoding: bytes[dot...], as: UTF8.self)
    }

    /// The live file.
    package var live: String { file(base) }
    /// The state directory of all logs in the directory.
    package var state: String { file(".taffrail") }
    /// The file of locks and intents.
    var lock: String { state + "/lock" }

    /// Returns the path of a file in the directory.
    package func file(_ name: String) -> String { Directory.path(name, in: path) }

    /// Creates the directory with mode 0750 if it is missing.
    func create() throws(SystemError) { try Directory.create(path, mode: 0o750) }

    /// Creates `.taffrail` with mode 0700 if it is missing, and rejects one that other users could have created. If
    /// root creates it in the directory of a user, it belongs to the user.
    func createState() throws(SystemError) {
        try Directory.createPrivate(state)
        guard let status = try FileStatus.of(state), status.isDirectory, !status.isWritableByOthers,
            try isTrusted(status.owner)
        else { throw SystemError("\(state) is not a directory of the current user", code: Errno.notPermitted) }
    }

    /// Returns whether an owner is the current user or, for root, the owner of a log directory that no one else may
    /// write to.
    func isTrusted(_ owner: UInt32) throws(SystemError) -> Bool {
        if owner == ThisProcess.user { return true }
        guard ThisProcess.user == 0, let directory = try FileStatus.of(path) else { return false }
        return owner == directory.owner && !directory.isWritableByOthers
    }

    /// Returns the log that the live path refers to if it is a symbolic link. Fails if other users may write to the
    /// directory and could have created the link.
    func followingLink() throws(SystemError) -> LogPath {
        guard let status = try FileStatus.of(live), status.isSymbolicLink else { return self }
        guard let directory = try FileStatus.of(path), !directory.isWritableByOthers,
            let target = DestinationPath.real(live), let resolved = LogPath(ofLog: target)
        else { throw SystemError("open \(live), a symbolic link", code: Errno.linkLoop) }
        return resolved
    }

    /// The log that the live path refers to; itself if that cannot be determined.
    var followed: LogPath { (try? followingLink()) ?? self }

    /// The live file's path, with symbolic links resolved if its directory exists.
    var resolved: String {
        guard let log = try? followingLink() else { return live }
        return Directory.path(log.base, in: DestinationPath.resolved(log.path))
    }

    /// Returns the rotated files in the directory, oldest first. Directories and symbolic links are ignored.
    func rotatedFiles() throws(SystemError) -> [RotatedFile] {
        var files: [RotatedFile] = []
        var names: [String] = []
        for entry in try Directory.entries(of: path) where entry.name.hasPrefix(stem + "-") { names.append(entry.name) }
        // The names of rotated files sort like the files.
        for name in names.sorted() {
            guard let rotated = RotatedName(name, of: self), let status = try FileStatus.of(file(name)),
                status.isRegular
            else { continue }
            if let last = files.last, last.name.compressed(.none) == rotated.compressed(.none) {
                files[files.count - 1].size = last.size.addingClamped(status.size)
                files[files.count - 1].other = rotated
            } else {
                files.append(RotatedFile(name: rotated, size: status.size, modified: status.modified))
            }
        }
        return files
    }

    /// Returns the absolute path for one that starts at the working directory.
    static func absolute(_ path: String) -> String {
        var bytes = Array(path.utf8)
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        guard bytes.first != slash, let directory = Directory.current else { return path }
        while bytes.count > 1, bytes[0] == dot, bytes[1] == slash { bytes.removeFirst(2) }
        return Directory.path(String(decoding: bytes, as: UTF8.self), in: directory)
    }
}
