internal import Taffrail

/// A log's files, opened one after the other: rotated, compressed and the live one.
///
/// Opened files stay what they are, whoever renames or deletes them. A file that is compressed meanwhile is found by
/// its new name.
struct LogFiles {
    let log: LogPath
    /// Whether files are held open ahead, so that nobody can delete them before they are read.
    private let holds: Bool
    /// What has yet to be read, the live file last.
    var waiting: [Part] = []
    /// The live file, where there is one.
    private(set) var live: FileIdentity?
    /// The last rotated name that is not behind the live file.
    private(set) var lastName: RotatedName?
    /// What could not be opened.
    var problems: [String] = []

    /// How many files are held open ahead.
    private static let heldFiles = 64

    /// A file that is to be read.
    struct Part {
        /// `nil` for the live file.
        let name: RotatedName?
        var opened: ByteFeed?
        /// Where reading starts, where that has been found already.
        var offset: Int64?
    }

    init(_ log: LogPath, holds: Bool) {
        self.log = log
        self.holds = holds
    }

    /// Lists the files behind a rotated one, with the live one, none of which is left out or there twice.
    mutating func arrange(after last: RotatedName?) throws(SystemError) {
        while true {
            let opened = try openLive()
            var identity: FileIdentity?
            if let opened { identity = opened.file.identity(try opened.file.status()) }
            let names = try log.rotatedNames()
            // Whoever rotates takes the live file away: as long as it is the same one, the list fits it.
            guard isLive(identity) else { continue }
            var parts = names.map { Part(name: $0) }
            if let last { parts.removeAll { part in part.name.map { $0.compressed(.none) <= last } ?? false } }
            if holds {
                for place in parts.indices.prefix(Self.heldFiles) {
                    parts[place].opened = open(parts[place].name)
                }
            }
            lastName = names.last?.compressed(.none) ?? lastName
            live = identity
            if let opened { parts.append(Part(name: nil, opened: opened)) }
            waiting = parts
            return
        }
    }

    /// Whether the live path has a file, or none.
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

    /// Opens a rotated file, by its name or what it is called once compressed. What fails is a problem.
    mutating func open(_ name: RotatedName?) -> ByteFeed? {
        guard let name else { return nil }
        for compression in [name.compression, .gzip] {
            let path = log.file(name.compressed(compression).text(in: log))
            guard compression != .zstd else {
                problems.append("\(path): zstd cannot be read")
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

    /// The name that an open file got that was the live one, if it still has one.
    func rotatedName(of file: borrowing FileDescriptor) throws(SystemError) -> RotatedName? {
        let identity = file.identity(try file.status())
        for name in try log.rotatedNames() {
            if let last = lastName, name.compressed(.none) <= last { continue }
            let path = log.file(name.text(in: log))
            if let status = try FileStatus.of(path), status.inode == identity.inode, status.device == identity.device {
                return name.compressed(.none)
            }
        }
        // It may have been compressed already.
        let id = IndexEntry.FileID(identity)
        for case .rotated(id, _, _, _, _, let name) in try IndexFile(log).entries().reversed() {
            return RotatedName(name, of: log)
        }
        return nil
    }
}
