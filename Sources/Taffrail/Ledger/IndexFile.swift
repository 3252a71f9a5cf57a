/// The index's file, in the state directory of the logs. Appending and replacing require its lock; reading does not.
package struct IndexFile {
    private let directory: String
    private var path: String { directory + "/index" }

    package init(directory: String) { self.directory = directory }

    /// Returns all valid entries, in order; none when there is no index.
    package func entries() throws(SystemError) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        try forEachEntry { entries.append($0) }
        return entries
    }

    /// Calls `body` with each valid entry, in order.
    package func forEachEntry(_ body: (IndexEntry) -> Void) throws(SystemError) {
        do throws(SystemError) {
            let file = try FileDescriptor(path, [.read, .ownFile])
            CheckedLine.forEach(in: try CheckedLine.contents(of: file)) { line in
                if let entry = IndexEntry(bytes: line) { body(entry) }
            }
        } catch {
            if error.code != Errno.missing { throw error }
        }
    }

    func append(_ entries: [IndexEntry]) throws(SystemError) {
        let file = try FileDescriptor(path, [.readWrite, .create, .append, .ownFile])
        let size = try file.status().size
        if size == 0 { file.handOver(toOwnerOf: directory) }
        try CheckedLine.append(entries.map(\.text), to: file, of: size)
    }

    func replace(by entries: [IndexEntry]) throws(SystemError) {
        try FileName.replace(path, with: Array(entries.map(\.text).joined().utf8), forOwnerOf: directory)
    }
}
