/// The ledger's file. Appending and shortening require its lock; reading does not.
package struct LedgerFile: Equatable {
    /// The state directory of the logs.
    let directory: String
    var path: String { directory + "/ledger" }

    /// The size in bytes above which it is shortened.
    static let limit: Int64 = 1 << 20
    /// The size after shortening.
    static let kept = 512 << 10

    package init(directory: String) { self.directory = directory }

    /// Returns all entries in order, `nil` for each invalid line; none when there is no ledger.
    package func entries() throws(SystemError) -> [LedgerEntry?] {
        do throws(SystemError) {
            return try entries(of: try FileDescriptor(path, [.read, .ownFile]))
        } catch {
            if error.isMissing { return [] }
            throw error
        }
    }

    /// Appends entries. Does nothing if the state directory does not exist, because then the log does not exist either.
    func append(_ entries: [LedgerEntry]) throws(SystemError) {
        do throws(SystemError) {
            try append(entries.map(\.text))
        } catch {
            if !error.isMissing { throw error }
        }
    }

    /// Appends entries that must not be lost: creates the state directory if it is missing.
    func appendAlways(_ entries: [LedgerEntry]) throws(SystemError) {
        let lines = entries.map(\.text)
        do throws(SystemError) { try append(lines) } catch {
            guard error.isMissing else { throw error }
            // With the mode of a log's directory.
            if let above = Directory.parent(of: directory) { try Directory.create(above, mode: 0o750) }
            try Directory.createPrivate(directory)
            try append(lines)
        }
    }

    /// Appends all lines or, after an error, none.
    private func append(_ lines: [String]) throws(SystemError) {
        while true {
            let file = try FileDescriptor(path, [.readWrite, .create, .append, .ownFile], closedInChildren: true)
            try FileLock.acquire(file, start: 0, length: 1)
            let status = try file.status()
            guard status.isRegular else { throw SystemError("\(path) is not a regular file", code: Errno.invalid) }
            if status.size == 0 { file.handOver(toOwnerOf: directory) }
            // It has since been compacted and replaced.
            guard let named = try FileStatus.of(path), named.inode == status.inode else { continue }
            if status.size > Self.limit {
                try shorten(file)
                continue
            }
            do throws(SystemError) {
                return try CheckedLine.append(lines, to: file, of: status.size)
            } catch {
                // A part would be counted again when all is repeated. If it must stay, its torn line is reported.
                try? file.truncate(to: status.size)
                throw error
            }
        }
    }

    /// Replaces the file by one with the entries of the runs in the index, the older ones added up. Requires its lock.
    private func shorten(_ file: borrowing FileDescriptor) throws(SystemError) {
        var runs: Set<RingID> = []
        try? IndexFile(directory: directory).forEachEntry { entry in
            if case .start(let start, _, _) = entry { runs.insert(start.run) }
        }
        var digest = LedgerDigest()
        for case let entry? in try entries(of: file).reversed() {
            // A file whose runs are unknown has none.
            guard runs.isEmpty || entry.run == .none || runs.contains(entry.run) else { continue }
            digest.add(entry)
        }
        try FileName.replace(path, with: Array(digest.text(limit: Self.kept).utf8), forOwnerOf: directory)
    }

    private func entries(of file: borrowing FileDescriptor) throws(SystemError) -> [LedgerEntry?] {
        var entries: [LedgerEntry?] = []
        CheckedLine.forEach(in: try CheckedLine.contents(of: file)) { entries.append(LedgerEntry(bytes: $0)) }
        return entries
    }
}
