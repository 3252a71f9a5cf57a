/// A pointer to a run's ring, stored next to a sink whose state is in another directory: `RUN.at`, a path.
///
/// So a later configuration that has only that sink finds the records that a killed run left for it. Next to the ring,
/// `RUN.to` lists the directories that have such a pointer: the records that a sink has missed are noted in the ledger
/// there, whichever process drains the ring.
///
/// Containers may share a sink's volume and have other directories under the same paths: a ring that is missing here may be
/// another container's. A pointer is therefore removed when its ring has been drained, just before the ring is removed, and
/// otherwise only once it is older than ``longestAge``.
package enum RingPointer {
    package static let suffix = ".at"
    private static let listSuffix = ".to"
    /// More than the paths of the maximum number of sinks require.
    private static let limit: Int64 = 8192 * 16
    /// How long a pointer to a missing ring is kept.
    static let longestAge = Duration.days(90)

    /// Writes the location of a run's ring into a directory.
    static func write(ring path: String, run: RingID, in directory: String) throws(SystemError) {
        try Directory.create(directory, mode: 0o700)
        try store(path, in: name(run, in: directory))
    }

    /// Returns the location of a run's ring according to a directory's pointer, regardless of where the ring is now.
    static func ring(of run: RingID, in directory: String) -> String? { text(of: name(run, in: directory)) }

    /// Lists, next to a ring, the directories that have a pointer to it.
    static func list(_ directories: [String], besideRing path: String, _ run: RingID) throws(SystemError) {
        guard let list = list(ofRing: path, run) else { return }
        if directories.isEmpty {
            if FileName.exists(list) { try FileName.remove(list) }
        } else {
            try store(directories.joined(separator: "\n"), in: list)
        }
    }

    /// Returns the directories in the list of a ring whose pointers to it confirm that. A pointer may contain the path
    /// from which the ring has been moved; if a ring is still at that path, this one is a copy.
    package static func directories(ofRing path: String, _ run: RingID) -> [String] {
        listed(besideRing: path, run).filter { directory in
            guard let ring = ring(of: run, in: directory) else { return false }
            return ring == path || ring.hasSuffix("/\(run).ring") && FileName.isMissing(ring)
        }
    }

    /// Returns the directories in the list of a ring, which were given a pointer to it.
    static func listed(besideRing path: String, _ run: RingID) -> [String] {
        guard let list = list(ofRing: path, run), let text = text(of: list) else { return [] }
        return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("/") }
    }

    private static func name(_ run: RingID, in directory: String) -> String { directory + "/\(run)" + suffix }

    private static func list(ofRing path: String, _ run: RingID) -> String? {
        Directory.parent(of: path).map { $0 + "/\(run)" + listSuffix }
    }

    /// Stores a text in a file, which everyone can read who can enter the directory. On a full disk the file is left as
    /// before.
    private static func store(_ text: String, in path: String) throws(SystemError) {
        guard self.text(of: path) != text else { return }
        try FileName.replace(path, with: Array((text + "\n").utf8), forOwnerOf: nil, mode: 0o644, isDurable: false)
    }

    /// Returns the rings that the pointers in a directory refer to. A pointer to a missing ring is removed if it is
    /// old, and kept while the ring's directory is missing, which may be on a disk that is not mounted.
    static func rings(in directory: String) -> [String] {
        let names = Directory.names(in: directory)
        // Left by a process that was killed while it wrote a pointer.
        for name in names where name.hasSuffix(suffix + ".tmp") || name.hasSuffix(listSuffix + ".tmp") {
            if isOld(directory + "/" + name) { try? FileName.remove(directory + "/" + name) }
        }
        return names.filter { $0.hasSuffix(suffix) }.compactMap { name in
            guard let run = RingID(name.dropLast(suffix.count)) else { return nil }
            let path = directory + "/" + name
            guard let ring = text(of: path), ring.hasPrefix("/"), ring.hasSuffix("/\(run).ring"),
                let parent = Directory.parent(of: ring)
            else { return nil }
            if FileName.exists(ring) { return ring }
            if FileName.isMissing(ring), Directory.exists(parent), isOld(path) { try? FileName.remove(path) }
            return nil
        }
    }

    private static func isOld(_ path: String) -> Bool {
        guard let written = (try? FileStatus.of(path))??.modified else { return false }
        return SystemClock.wallNanoseconds() &- written > longestAge.nanoseconds
    }

    /// Removes a run's pointers in some directories.
    static func remove(_ run: RingID, in directories: [String]) {
        for directory in directories { try? FileName.remove(name(run, in: directory)) }
    }

    /// Removes all pointers to a ring without records, those in its list among them, and the list.
    static func remove(ofRing path: String, _ run: RingID, in others: [String] = []) {
        remove(run, in: directories(ofRing: path, run) + others)
        if let list = list(ofRing: path, run) { try? FileName.remove(list) }
    }

    /// Returns the text of a pointer or a list; only a regular file counts.
    ///
    /// - Parameter isOwn: Whether it must be our own, or root's: a reader changes nothing, and may be another user.
    package static func text(of path: String, isOwn: Bool = true) -> String? {
        guard let file = try? FileDescriptor(path, [.read, .ownFile]),
            let status = try? file.status(), status.isRegular,
            !isOwn || status.owner == ThisProcess.user || status.owner == 0, status.size <= limit,
            let bytes = try? file.read(Int(status.size), at: 0)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : nil
    }
}
