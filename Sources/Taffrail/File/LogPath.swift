internal import CTaffrail

/// Where a log lies: its directory, its base name, and the names that are made from them.
package struct LogPath: Equatable, Sendable {
    /// The directory's absolute path.
    package let path: String
    /// The live file's name within it.
    package let base: String
    /// What rotated names start with: the base name up to its last dot.
    let stem: String
    /// What rotated names end with: the last dot and what follows; empty without a dot.
    let suffix: String

    /// What a rotated, compressed and unfinished file's name has beyond the base name, at most.
    static let longestBase = 220

    /// Takes a log's path apart.
    ///
    /// - Returns: `nil` when the path ends in no usable file name.
    package init?(ofLog log: String) {
        let absolute = LogPath.absolute(log)
        guard let directory = Directory.parent(of: absolute) else { return nil }
        let base = String(absolute.utf8.dropFirst(directory == "/" ? 1 : directory.utf8.count + 1)) ?? ""
        let bytes = Array(base.utf8)
        guard !bytes.isEmpty, bytes.count <= LogPath.longestBase, base != ".", base != "..",
            !bytes.contains(UInt8(ascii: "/")), !absolute.utf8.contains(0)
        else { return nil }
        let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? bytes.count
        path = directory
        self.base = base
        stem = String(decoding: bytes[..<dot], as: UTF8.self)
        suffix = String(decoding: bytes[dot...], as: UTF8.self)
    }

    /// The live file.
    package var live: String { file(base) }
    /// Where the state of all logs in the directory lies.
    package var state: String { file(".taffrail") }
    /// The file of locks and intents.
    var lock: String { state + "/lock" }

    /// The path of a name in the directory.
    package func file(_ name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// Makes the directory, 0750, where it is missing.
    func create() throws(SystemError) { try Directory.create(path, mode: 0o750) }

    /// Makes `.taffrail`, 0700, where it is missing, and refuses one that others could have put there. What root makes
    /// in the directory of a user is the user's.
    func createState() throws(SystemError) {
        if ThisProcess.user == 0, let owner = Directory.soleOwner(of: path) {
            let code = taffrail_mkdir_as(state, 0o700, owner.user, owner.group)
            if code != 0 && code != Errno.taken { throw SystemError("create \(state)", code: code) }
        } else {
            try Directory.createOne(state)
        }
        guard let status = try FileStatus.of(state), status.isDirectory, !status.isWritableByOthers,
            try isTrusted(status.owner)
        else { throw SystemError("\(state) is not a directory of our own", code: Errno.notPermitted) }
    }

    /// Whether an owner is we, or, where we are root, the owner of a log directory that no one else may write.
    func isTrusted(_ owner: UInt32) throws(SystemError) -> Bool {
        if owner == ThisProcess.user { return true }
        guard ThisProcess.user == 0, let directory = try FileStatus.of(path) else { return false }
        return owner == directory.owner && !directory.isWritableByOthers
    }

    /// Where the live path is a symbolic link: the log that it leads to. Not where others may write the directory
    /// and could have put the link there.
    func followingLink() throws(SystemError) -> LogPath {
        guard let status = try FileStatus.of(live), status.isSymbolicLink else { return self }
        let refusal = SystemError("open \(live), a symbolic link", code: Errno.linkLoop)
        guard let directory = try FileStatus.of(path), !directory.isWritableByOthers,
            let target = DestinationPath.real(live)
        else { throw refusal }
        guard let resolved = LogPath(ofLog: target) else { throw refusal }
        return resolved
    }

    /// The live file's path, without symbolic links where its directory exists.
    var resolved: String {
        guard let log = try? followingLink() else { return live }
        let directory = DestinationPath.resolved(log.path)
        return directory == "/" ? "/" + log.base : directory + "/" + log.base
    }

    /// The rotated files that lie there, the oldest first. Directories and symbolic links never count.
    func rotatedFiles() throws(SystemError) -> [RotatedFile] {
        var found: [RotatedFile] = []
        for entry in try Directory.entries(of: path) {
            guard let rotated = RotatedName(entry.name, of: self), let status = try FileStatus.of(file(entry.name)),
                status.isRegular
            else { continue }
            found.append(RotatedFile(name: rotated, size: status.size, modified: status.modified))
        }
        return RotatedFile.merged(found.sorted { $0.name < $1.name })
    }

    /// The names of the rotated files, the oldest first, each once, without asking each file: for whoever only reads.
    /// Of one that is there with and without compression, it is the name without.
    package func rotatedNames() throws(SystemError) -> [RotatedName] {
        var found: [RotatedName] = []
        for entry in try Directory.entries(of: path) {
            guard let name = RotatedName(entry.name, of: self) else { continue }
            var isRegular = entry.isRegular
            if isRegular == nil { isRegular = try FileStatus.of(file(entry.name))?.isRegular }
            if isRegular == true { found.append(name) }
        }
        found.sort()
        var names: [RotatedName] = []
        for name in found where names.last?.compressed(.none) != name.compressed(.none) { names.append(name) }
        return names
    }

    private static func absolute(_ path: String) -> String {
        guard !path.utf8.starts(with: "/".utf8) else { return path }
        guard let directory = Directory.current else { return path }
        var rest = Substring(path)
        while rest.utf8.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
        return directory == "/" ? "/" + rest : directory + "/" + rest
    }
}
