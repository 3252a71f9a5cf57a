#if Configuration
internal import Glibc

/// The inotify watches on the directories along the path of a file. One thread at a time.
///
/// In each of them only one name, or few, matter: the next component of the path. Changes of other files are ignored.
final class WatchedDirectories {
    /// Readable when an event has occurred.
    let descriptor: CInt
    private let file: String
    /// The names that matter, by watch.
    private var names: [CInt: Set<String>] = [:]
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)
    /// Events about a directory itself, or about all of them.
    private static let own = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT | IN_Q_OVERFLOW)
    /// The kernel's limit for symbolic links.
    private static let linkLimit = 40

    /// Watches the directories on the path of a file; `nil` if the last of them cannot be watched.
    init?(file: String) {
        self.file = file
        descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
        guard descriptor >= 0, update() else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches the directories that the path now leads through, and no others.
    ///
    /// - Returns: Whether the last existing directory of the path could be watched.
    func update() -> Bool {
        // A directory created between resolving the path and adding the watch would be missed.
        for _ in 0..<10 {
            let steps = Self.steps(of: file)
            var next: [CInt: Set<String>] = [:]
            var isLastWatched = false
            for step in steps {
                let watch = inotify_add_watch(descriptor, step.directory, Self.mask)
                isLastWatched = watch >= 0
                if watch >= 0 { next[watch, default: []].insert(step.name) }
            }
            for gone in names.keys where next[gone] == nil { _ = inotify_rm_watch(descriptor, gone) }
            names = next
            if Self.steps(of: file) == steps { return isLastWatched }
        }
        return true
    }

    /// Reads the events.
    ///
    /// - Returns: Whether any of them concerns the path.
    func takeEvents() -> Bool {
        var matters = false
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return matters }
            var offset = 0
            let head = MemoryLayout<inotify_event>.size
            buffer.withUnsafeBytes { bytes in
                while offset + head <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let end = offset + head + Int(event.len)
                    guard end <= count else { return }
                    if event.mask & Self.own != 0 {
                        // The end of a removed watch is not an event.
                        if names[event.wd] != nil || event.wd < 0 { matters = true }
                    } else if let names = names[event.wd] {
                        let name = bytes[(offset + head)..<end].prefix { $0 != 0 }
                        if names.contains(String(decoding: name, as: UTF8.self)) { matters = true }
                    }
                    offset = end
                }
            }
        }
    }

    /// One step of a path: a directory with symbolic links resolved, and the name looked up in it.
    struct Step: Equatable {
        let directory: String
        let name: String
    }

    /// Returns the existing steps to a file; a link is followed in the directory that it refers to.
    static func steps(of file: String) -> [Step] {
        var steps: [Step] = []
        var directory = file.hasPrefix("/") ? "/" : "."
        var rest = parts(of: file)
        var links = 0
        while let name = rest.popFirst() {
            let path = directory == "/" ? "/" + name : directory + "/" + name
            if name == ".." {
                directory = path
                continue
            }
            steps.append(Step(directory: directory, name: name))
            var info = stat()
            guard lstat(path, &info) == 0 else { return steps }
            guard info.st_mode & S_IFMT == S_IFLNK else {
                directory = path
                continue
            }
            links += 1
            guard links <= linkLimit, let target = target(of: path) else { return steps }
            if target.hasPrefix("/") { directory = "/" }
            rest = parts(of: target) + rest
        }
        return steps
    }

    private static func parts(of path: String) -> ArraySlice<String> {
        path.split(separator: "/").filter { $0 != "." }.map(String.init)[...]
    }

    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
#endif
