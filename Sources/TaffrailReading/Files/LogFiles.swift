internal import Taffrail
internal import TaffrailText

/// Opens a log's files in order: the rotated files, including compressed ones, then the live file.
///
/// Open files remain valid when they are renamed or deleted. A file that is compressed in the meantime is found by its
/// new name.
struct LogFiles {
    let log: LogPath
    /// Whether to open files ahead, so that they cannot be deleted before they are read.
    private let holds: Bool
    /// The files still to be read, the live file last.
    var waiting: [Part] = []
    /// The live file, if it exists.
    private(set) var live: FileIdentity?
    /// The last rotated name that precedes the live file.
    private(set) var lastName: RotatedName?
    /// Errors from opening files.
    var problems: [String] = []

    /// The number of files to open ahead.
    private static let heldFiles = 64

    /// A file to be read.
    struct Part {
        /// `nil` for the live file.
        let name: RotatedName?
        var opened: ByteFeed?
        /// The offset at which to start, if already known.
        var offset: Int64?
    }

    init(_ log: LogPath, holds: Bool) {
        self.log = log
        self.holds = holds
    }

    /// Lists the files after a rotated one, including the live one, without omissions or duplicates.
    mutating func arrange(after last: RotatedName?) throws(SystemError) {
        while true {
            let opened = try openLive()
            var identity: FileIdentity?
            if let opened { identity = opened.file.identity(try opened.file.status()) }
            let names = try log.rotatedNames()
            // Rotation replaces the live file: while it is the same, the list is consistent.
            guard isLive(identity) else { continue }
            var parts = names.map { Part(name: $0) }
            if let last { parts.removeAll { part in part.name.map { $0.compressed(.none) <= last } ?? false } }
            if holds {
                for index in parts.indices.prefix(Self.heldFiles) {
                    parts[index].opened = open(parts[index].name)
                }
            }
            lastName = names.last?.compressed(.none) ?? lastName
            live = identity
            if let opened { parts.append(Part(name: nil, opened: opened)) }
            waiting = parts
            return
        }
    }

    /// Returns whether the live path still refers to a file, or still to none (`nil`).
    private func isLive(_ file: FileIdentity?) -> Bool {
        guard let status = try? FileStatus.following(log.live) else { return file == nil }
        return status.inode == file?.inode && status.device == file?.device
    }

    private func openLive() throws(SystemError) -> ByteFeed? {
        do throws(SystemError) {
            let file = try FileDescriptor(log.live, [.read, .nonBlocking])
            guard try file.status().isRegular else {
                throw SystemError("read \(log.live), which is not a regular file", code: Errno.invalid)
            }
            let isCompressed = (try? file.read(2, at: 0)) == [0x1F, 0x8B]
            if !isCompressed, (try? file.read(512, at: 0))?.contains(0) == true {
                throw SystemError("read \(log.live), which is not text", code: Errno.invalid)
            }
            return try ByteFeed(file, path: log.live, isCompressed: isCompressed)
        } catch {
            if error.code == Errno.missing { return nil }
            throw error
        }
    }

    /// Opens a rotated file by its own name or the name of its compressed form. Records errors in ``problems``.
    mutating func open(_ name: RotatedName?) -> ByteFeed? {
        guard let name else { return nil }
        for compression in [name.compression, .gzip] {
            let path = log.file(name.compressed(compression).text(in: log))
            guard compression != .zstd else {
                problems.append("\(path): zstd is not supported")
                return nil
            }
            do throws(SystemError) {
                let file = try FileDescriptor(path, [.read, .ownFile])
                return try ByteFeed(file, path: path, isCompressed: compression == .gzip)
            } catch {
                guard error.code == Errno.missing else {
                    problems.append("\(error)")
                    return nil
                }
            }
        }
        problems.append("\(log.file(name.text(in: log))): deleted before it was read")
        return nil
    }

    /// Returns the rotated name of an open file that was the live file, if it still has a name.
    mutating func rotatedName(of file: borrowing FileDescriptor) throws(SystemError) -> RotatedName? {
        let identity = file.identity(try file.status())
        var first: RotatedName?
        for name in try log.rotatedNames() {
            if let last = lastName, name.compressed(.none) <= last { continue }
            first = first ?? name
            let path = log.file(name.text(in: log))
            if let status = try FileStatus.of(path), status.inode == identity.inode, status.device == identity.device {
                return name.compressed(.none)
            }
        }
        // It may already have been compressed.
        let id = IndexEntry.FileID(identity)
        let entries: [IndexEntry]
        do throws(SystemError) { entries = try IndexFile(directory: log.state).entries() } catch {
            guard error.isDenied else { throw error }
            // The contents show whether it is the next rotated file, or has been deleted.
            let start = try file.read(512, at: 0)
            guard let first, (try? open(first)?.readAll(limit: 512)) == start else { return nil }
            return first.compressed(.none)
        }
        for case .rotated(id, _, _, _, _, let name) in entries.reversed() { return RotatedName(name, of: log) }
        return nil
    }
}
