#if Store
internal import Taffrail

/// The file of a store and the files next to it.
struct StoreFile {
    let path: String
    /// The kind of the database.
    let kind: StoreKind

    /// The file on which the writing process holds a lock.
    var lockPath: String { path + "-lock" }

    /// The files that SQLite keeps next to a database.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// Returns whether the file is a store of this kind; `false` if it does not exist or is empty. Throws for any other
    /// file. Reads the header, without opening the database.
    func exists() throws(StoreError) -> Bool {
        let header = try header()
        guard !header.isEmpty else { return false }
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw StoreError(.corrupt, "\(path) is not a database")
        }
        func word(_ offset: Int) -> Int32 {
            Int32(bitPattern: header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        let (version, application) = (word(60), word(68))
        guard application == kind.applicationID else {
            throw StoreError(.foreign, "\(path) is the database of another program")
        }
        try check(version)
        return true
    }

    /// Whether the database is in the mode of a write-ahead log.
    func hasLog() throws(StoreError) -> Bool { try header().dropFirst(18).first == 2 }

    /// Reads the header; empty if there is none.
    private func header() throws(StoreError) -> [UInt8] {
        do throws(SystemError) {
            guard let status = try FileStatus.of(path) else { return [] }
            return try StoreHeaders.read(path, status)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Refuses tables of a later version.
    func check(_ version: Int32) throws(StoreError) {
        guard version <= kind.version else {
            throw StoreError(
                .newer, "\(path) has version \(version), and this program knows versions up to \(kind.version)")
        }
    }

    /// Creates the database under another name, and renames it when it is complete: a reader never sees, nor locks, one
    /// that is being created. Only its owner can read it.
    ///
    /// - Parameter make: Makes the database in an empty file, and closes it.
    func create(_ make: (String) throws -> Void) throws {
        let draft = path + "-new"
        try removeFiles(draft)
        do {
            try FileDescriptor(creating: draft).handOver(toOwnerOf: directory)
            try make(draft)
            // Its journal is empty now.
            try FileName.removeIfPresent(draft + "-journal")
            // It must not find the log or journal of a deleted database.
            for suffix in Self.companions { try FileName.removeIfPresent(path + suffix) }
            try FileName.rename(draft, to: path)
        } catch {
            try? removeFiles(draft)
            throw error
        }
        try? Directory.synchronize(directory)
    }

    private func removeFiles(_ path: String) throws(SystemError) {
        for suffix in [""] + Self.companions { try FileName.removeIfPresent(path + suffix) }
    }

    /// Opens the lock file, and creates it and its directory if they are missing. Files created by root are given to
    /// the owner of the directory.
    func openLock() throws(SystemError) -> FileDescriptor {
        try Directory.create(directory)
        let isNew = !FileName.exists(lockPath)
        let lock = try FileDescriptor(lockPath, [.readWrite, .create, .noFollow], closedInChildren: true)
        if isNew { lock.handOver(toOwnerOf: directory) }
        return lock
    }

    private var directory: String { Directory.parent(of: path) ?? "." }

    /// The file that contains the new name of a database while it is being moved.
    private var movingPath: String { path + "-moving" }

    /// Renames a damaged database and the files that belong to it. A new database must never find the log or journal
    /// of another: a move interrupted by a kill is completed by ``finishMoving()``.
    ///
    /// - Returns: The new name.
    @discardableResult
    func renameDamaged(at time: Timestamp = .now) throws(SystemError) -> String {
        var target = path + ".corrupt-" + Self.compact(time)
        while FileName.exists(target) { target += "x" }
        try? FileName.remove(movingPath)
        try FileDescriptor(creating: movingPath).write(Array(target.utf8))
        try rename(to: target)
        return target
    }

    /// Completes a move that a kill has interrupted. Only for the process that holds the lock.
    func finishMoving() throws(SystemError) {
        guard let bytes = try? FileDescriptor(movingPath, [.read]).read(4_096, at: 0), !bytes.isEmpty else { return }
        let target = String(decoding: bytes, as: UTF8.self)
        // Only a name that this type could have written.
        guard target.hasPrefix(path + ".corrupt-"), !FileName.exists(target), FileName.exists(path) else {
            return try FileName.remove(movingPath)
        }
        try rename(to: target)
    }

    private func rename(to target: String) throws(SystemError) {
        for suffix in Self.companions where FileName.exists(path + suffix) {
            try FileName.rename(path + suffix, to: target + suffix)
        }
        try FileName.rename(path, to: target)
        try FileName.removeIfPresent(movingPath)
        try? Directory.synchronize(directory)
    }

    /// Returns a time as in the names of rotated logs, such as `20260105T143000.123Z`.
    private static func compact(_ time: Timestamp) -> String {
        "\(time)".filter { $0 != "-" && $0 != ":" }
    }

    /// The bytes of the database and its write-ahead log.
    var size: Int64 {
        [path, path + "-wal"].reduce(0) { sum, path in sum + ((try? FileStatus.of(path))??.size ?? 0) }
    }
}

/// The headers of databases, read without SQLite.
///
/// A process that closes any descriptor of a file loses all its locks on it, those of SQLite's connections among them:
/// another process could then remove the write-ahead log of an open connection. A descriptor is therefore kept open for
/// each database as long as the program runs. A forked child, which has none of those locks, opens its own.
private enum StoreHeaders {
    private final class Header: Sendable {
        let file: FileDescriptor
        init(_ path: String) throws(SystemError) { file = try FileDescriptor(path, [.read], closedInChildren: true) }
    }

    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    private static let files = Locked<[Identity: Header]>([:])

    /// Returns the first 100 bytes of a file, or all of a shorter one.
    static func read(_ path: String, _ status: FileStatus) throws(SystemError) -> [UInt8] {
        let key = Identity(device: status.device, inode: status.inode)
        let header = try files.withLock { (files) throws(SystemError) in
            if let known = files[key], !known.file.wasClosedByFork { return known }
            let header = try Header(path)
            files[key] = header
            return header
        }
        return try header.file.read(min(100, header.file.size), at: 0)
    }
}
#endif
