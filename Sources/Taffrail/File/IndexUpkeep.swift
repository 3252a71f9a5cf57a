/// Maintains the index: removes entries of deleted files, and adds missing entries and corrects wrong ones.
struct IndexUpkeep {
    private let log: LogPath
    private let index: IndexFile

    init(_ log: LogPath) {
        self.log = log
        index = IndexFile(log)
    }

    /// The number of superfluous bytes at which an index is rewritten.
    private static let slack = 200

    /// Checks the index once. Requires the locks of the index and the log.
    func run() throws(SystemError) {
        let entries = try index.entries()
        let files = try log.rotatedFiles()
        var known: [String: IndexEntry] = [:]
        for entry in entries {
            if case .rotated(_, _, _, _, _, let name) = entry { known[name] = entry }
        }
        var made: [IndexEntry] = []
        var wrong: Set<String> = []
        var before: Int64?
        for file in files {
            let name = file.name.compressed(.none).text(in: log)
            let isRight = try isRight(known[name], file)
            if !isRight {
                wrong.insert(name)
                made.append(try entry(for: file, name, after: before))
            }
            before = file.name.milliseconds * 1_000_000
        }
        let live = try FileStatus.of(log.live)?.inode
        var names = Set(files.map { $0.name.compressed(.none).text(in: log) })
        let ids = Set(names.compactMap { known[$0]?.file })
        names.subtract(wrong)
        let kept = entries.filter { isOfUse($0, names, ids, live: live) }
        if entries.count - kept.count > Self.slack || !wrong.isDisjoint(with: known.keys) {
            try index.replace(by: kept + made)
        } else if !made.isEmpty {
            try index.append(made)
        }
    }

    /// Returns whether an entry fits the file: a compressed file is identified by its name alone.
    private func isRight(_ entry: IndexEntry?, _ file: RotatedFile) throws(SystemError) -> Bool {
        guard case .rotated(let id, let size, _, _, _, _) = entry else { return false }
        guard file.name.compression == .none, file.other == nil else { return true }
        guard let status = try FileStatus.of(log.file(file.name.text(in: log))) else { return false }
        // A copy has another inode but is still in the index. Readers compare its lines with the index.
        return status.size == size && id.inode != 0
    }

    /// Returns whether an entry describes an existing file of this log, or another log.
    private func isOfUse(
        _ entry: IndexEntry, _ names: Set<String>, _ ids: Set<IndexEntry.FileID>, live: UInt64?
    ) -> Bool {
        switch entry {
        case .rotated(_, _, _, _, _, let name):
            return names.contains(name) || RotatedName(name, of: log) == nil
        case .start(let id, _, _, _, _, let base), .end(let id, _, _, _, _, _, let base),
            .sum(let id, _, _, _, let base), .unindexed(let id, _, _, _, let base):
            return base != log.base || id.inode == live || ids.contains(id)
        }
    }

    /// Returns an entry with the properties that a file itself provides: its size. The times are unknown: readers find
    /// them in its lines. A compressed file has the times of its name and of the preceding file.
    private func entry(for file: RotatedFile, _ name: String, after before: Int64?) throws(SystemError) -> IndexEntry {
        guard file.name.compression == .none else {
            return .rotated(
                file: IndexEntry.FileID(inode: 0, birth: 0), size: 0, lines: nil, earliest: before,
                latest: file.name.milliseconds * 1_000_000, name: name)
        }
        let opened = try FileDescriptor(log.file(name), [.read, .ownFile])
        let status = try opened.status()
        let id = IndexEntry.FileID(opened.identity(status))
        return .rotated(file: id, size: status.size, lines: nil, earliest: nil, latest: nil, name: name)
    }
}
