internal import CTaffrail
internal import Glibc
internal import Synchronization

/// Files that are not the system's: a test has them in memory, below one folder. Codes are those of `errno`, 0 is good.
package protocol VirtualFiles: AnyObject, Sendable {
    /// A new descriptor, or a negative code.
    func open(_ path: String, flags: Int32) -> Int32
    func remove(_ path: String) -> Int32
    func rename(_ path: String, to other: String, mayReplace: Bool) -> Int32
    /// Gives a file a second name.
    func link(_ path: String, to other: String) -> Int32
    func makeDirectory(_ path: String) -> Int32
    /// The names in a folder; `nil` where there is none.
    func names(in directory: String) -> [String]?
    func exists(_ path: String) -> Bool
    /// Why a file cannot be written now; 0 when it can.
    func writeFailure(_ path: String) -> Int32
}

/// What is done to files by their names: the system's, but for those below folders that a test has in memory.
package enum FileNames {
    private struct Root: Sendable {
        var folder: String
        weak let files: (any VirtualFiles)?
    }

    private static let roots = Mutex<[Root]>([])
    private static let hasRoots = Atomic<Bool>(false)

    /// Has the files below a folder elsewhere, for as long as the object lives.
    package static func add(_ files: any VirtualFiles, below folder: String) {
        roots.withLock { roots in
            roots.removeAll { $0.files == nil }
            roots.append(Root(folder: folder, files: files))
        }
        hasRoots.store(true, ordering: .releasing)
    }

    static func virtual(_ path: String) -> (any VirtualFiles)? {
        guard hasRoots.load(ordering: .acquiring) else { return nil }
        return roots.withLock { roots in
            roots.first { path == $0.folder || path.hasPrefix($0.folder + "/") }?.files
        }
    }

    /// Opens a file; a negative result is a code.
    static func open(_ path: String, flags: Int32, mode: mode_t) -> Int32 {
        if let files = virtual(path) { return files.open(path, flags: flags) }
        while true {
            let result = Glibc.open(path, flags | O_CLOEXEC, mode)
            if result >= 0 { return result }
            if errno != EINTR { return -errno }
        }
    }

    package static func remove(_ path: String) -> Int32 {
        if let files = virtual(path) { return files.remove(path) }
        return unlink(path) == 0 ? 0 : errno
    }

    package static func rename(_ path: String, to other: String, mayReplace: Bool) -> Int32 {
        if let files = virtual(path) { return files.rename(path, to: other, mayReplace: mayReplace) }
        guard mayReplace else { return taffrail_rename_exclusive(path, other) }
        return Glibc.rename(path, other) == 0 ? 0 : errno
    }

    package static func link(_ path: String, to other: String) -> Int32 {
        if let files = virtual(path) { return files.link(path, to: other) }
        return Glibc.link(path, other) == 0 ? 0 : errno
    }

    /// A file without a name that lies in memory; negative where the system has none.
    package static func memoryFile() -> Int32 {
        taffrail_memory_file()
    }

    static func makeDirectory(_ path: String) -> Int32 {
        if let files = virtual(path) { return files.makeDirectory(path) }
        return mkdir(path, 0o700) == 0 ? 0 : errno
    }

    /// The names in a folder, those of the folder itself and of the one above left out; none where it cannot be read.
    package static func names(in directory: String) -> [String] {
        if let files = virtual(directory) { return files.names(in: directory) ?? [] }
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
