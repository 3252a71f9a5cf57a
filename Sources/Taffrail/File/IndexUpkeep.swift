/// Maintains the index: removes entries of deleted files, and adds missing entries and corrects wrong ones.
struct IndexUpkeep {
    let log: LogPath

    /// The number of superfluous bytes at which an index is rewritten.
    private static let slack = 200

    /// Checks the index once. Requires the locks of the index and the log.
    func run() throws(SystemError) {
        let index = IndexFile(directory: log.state)
        let entries = try index.entries()
        var known: [RotatedName: IndexEntry] = [:]
        for entry in entries {
            if case .rotated(_, _, _, _, _, let text) = entry, let name = RotatedName(text, of: log) {
                known[name] = entry
            }
        }
        var made: [IndexEntry] = []
        // The identities in the entries of existing files.
        var ids: Set<IndexEntry.FileID> = []
        var hasWrong = false
        var before: Int64?
        for file in try log.rotatedFiles() {
            let name = file.name.compressed(.none)
            let entry = known[name]
            if let entry { ids.insert(entry.file) }
            if isRight(entry, file) {
                known[name] = nil
            } else {
                made.append(try newEntry(for: file, name.text(in: log), after: before))
                if entry != nil { hasWrong = true }
            }
            before = file.name.nanoseconds
        }
        let live = try FileStatus.of(log.live)?.inode
        // What is still known has no file, or a wrong entry.
        let kept = entries.filter { isOfUse($0, wrong: known, ids, live: live) }
        if entries.count - kept.count > Self.slack || hasWrong {
            try index.replace(by: kept + made)
        } else if !made.isEmpty {
            try index.append(made)
        }
    }

    /// Returns whether an entry fits the file: a compressed file is identified by its name alone.
    private func isRight(_ entry: IndexEntry?, _ file: RotatedFile) -> Bool {
        guard case .rotated(let id, let size, _, _, _, _) = entry else { return false }
        // A copy has another inode but is still in the index. Readers compare its lines with the index.
        return file.name.compression != .none || file.other != nil || file.size == size && id.inode != 0
    }

    /// Returns whether an entry describes an existing file of this log, or another log.
    private func isOfUse(
        _ entry: IndexEntry, wrong: [RotatedName: IndexEntry], _ ids: Set<IndexEntry.FileID>, live: UInt64?
    ) -> Bool {
        switch entry {
        case .rotated(_, _, _, _, _, let text):
            return RotatedName(text, of: log).map { wrong[$0] == nil } ?? true
        case .start(let at, _, _), .end(let at, _, _, _), .sum(let at, _), .unindexed(let at, _):
            return at.base != log.base || at.file.inode == live || ids.contains(at.file)
        }
    }

    /// Returns an entry with the properties that a file itself provides: its size. The times are unknown: readers find
    /// them in its lines. A compressed file has the times of its name and of the preceding file.
    private func newEntry(
        for file: RotatedFile, _ name: String, after before: Int64?
    ) throws(SystemError) -> IndexEntry {
        guard file.name.compression == .none else {
            return .rotated(
                file: IndexEntry.FileID(inode: 0, birth: 0), size: 0, lines: nil, earliest: before,
                latest: file.name.nanoseconds, name: name)
        }
        let opened = try FileDescriptor(log.file(name), [.read, .ownFile])
        let status = try opened.status()
        let id = IndexEntry.FileID(opened.identity(status))
        return .rotated(file: id, size: status.size, lines: nil, earliest: nil, latest: nil, name: name)
    }
}
