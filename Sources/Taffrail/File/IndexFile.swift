/// The index's file. Appending and replacing require its lock; reading does not.
package struct IndexFile {
    private let log: LogPath
    private let path: String

    package init(_ log: LogPath) {
        self.log = log
        path = log.state + "/index"
    }

    /// Returns all valid entries, in order; none when there is no index.
    package func entries() throws(SystemError) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        try forEachEntry { entries.append($0) }
        return entries
    }

    /// Calls `body` with each valid entry, in order.
    package func forEachEntry(_ body: (IndexEntry) -> Void) throws(SystemError) {
        try IndexEntry.forEach(at: path, body)
    }

    /// Appends entries. Requires the index's lock.
    func append(_ entries: [IndexEntry]) throws(SystemError) {
        let file = try FileDescriptor(
            path, [.readWrite, .create, .append, .ownFile])
        let bytes = Array(entries.map(\.text).joined().utf8)
        let size = try file.status().size
        if size == 0 { file.handOver(toOwnerOf: log.state) }
        let code = try CheckedLine.append(bytes, to: file, of: size)
        guard code == 0 else { throw SystemError("write \(path)", code: code) }
    }

    /// Replaces the index. Requires the index's lock.
    func replace(by entries: [IndexEntry]) throws(SystemError) {
        let text = entries.map(\.text).joined()
        try FileName.replace(path, with: Array(text.utf8), forOwnerOf: log.state)
    }
}
