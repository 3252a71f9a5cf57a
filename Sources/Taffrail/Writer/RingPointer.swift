/// Where the ring of a run lies, noted beside a sink that has its state in another directory: `RUN.at`, a path.
///
/// So a later configuration that has only that sink finds what a killed run left for it.
enum RingPointer {
    static let suffix = ".at"
    /// Longer than any path that the system takes.
    private static let limit: Int64 = 8192

    /// Notes in the state directories of some sinks where a run's ring lies.
    ///
    /// - Returns: The directories that have a note.
    static func write(ring path: String, run: RingID, of sinks: [any Sink]) -> [String] {
        SinkNames.stateDirectories(of: sinks).filter { directory in
            guard directory != Directory.parent(of: path) else { return false }
            do throws(SystemError) {
                try Directory.create(directory, mode: 0o700)
                try store(path, in: directory + "/\(run)" + suffix)
                return true
            } catch {
                Diagnostics.report(
                    "a later run may not find what this one leaves in its queue for \(directory): \(error)")
                return false
            }
        }
    }

    private static func store(_ ring: String, in path: String) throws(SystemError) {
        let file = try FileDescriptor(path, [.write, .create, .truncate, .noFollow])
        try file.write(Array((ring + "\n").utf8))
    }

    /// The rings that the pointers in a directory lead to. A pointer to a ring that has been removed is removed; it
    /// stays while the ring's directory is missing, which may be on a disk that is not mounted.
    static func rings(in directory: String) -> [String] {
        let names = Directory.names(in: directory).filter { $0.hasSuffix(suffix) }
        return names.compactMap { name in
            guard let run = RingID(name.dropLast(suffix.count)) else { return nil }
            let path = directory + "/" + name
            guard let ring = text(of: path), ring.hasPrefix("/"), ring.hasSuffix("/\(run).ring"),
                let parent = Directory.parent(of: ring)
            else { return nil }
            if FileName.exists(ring) { return ring }
            if FileName.isMissing(ring), Directory.exists(parent) { try? FileName.remove(path) }
            return nil
        }
    }

    /// Removes a run's pointers, whose ring has been removed.
    static func remove(_ run: RingID, in directories: [String]) {
        for directory in directories { try? FileName.remove(directory + "/\(run)" + suffix) }
    }

    /// The text of a pointer; only a regular file counts.
    ///
    /// - Parameter isOwn: Whether it must be our own: a reader changes nothing, and may be another user.
    static func text(of path: String, isOwn: Bool = true) -> String? {
        guard let file = try? FileDescriptor(path, [.read, .ownFile]),
            let status = try? file.status(), status.isRegular, !isOwn || status.owner == ThisProcess.user,
            status.size <= limit,
            let bytes = try? file.read(Int(status.size), at: 0)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : nil
    }
}
