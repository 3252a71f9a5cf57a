#if Configuration
internal import Glibc
internal import Taffrail
internal import TaffrailText

/// The inotify watches on the directories along the path of a file. One thread at a time.
///
/// In each directory only a few names matter: the next components of the path. Changes of other files are ignored.
final class WatchedDirectories {
    private let events = FileEvents()
    private let file: String
    /// The names that matter, by watch.
    private var names: [CInt: Set<String>] = [:]

    private static let mask =
        Int(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF)
        | Int(IN_MOVE_SELF | IN_ONLYDIR)
    /// Events about a directory itself, or about all of them.
    private static let own = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT | IN_Q_OVERFLOW)
    /// The kernel's limit for symbolic links.
    private static let linkLimit = 40

    /// Watches the directories on the path of a file; `nil` if the last of them cannot be watched.
    init?(file: String) {
        self.file = file
        guard descriptor >= 0, update() else { return nil }
    }

    /// Readable when an event has occurred.
    var descriptor: CInt { events.descriptor }

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
                let watch = events.watch(step.directory, for: Self.mask)
                isLastWatched = watch >= 0
                if watch >= 0 { next[watch, default: []].insert(step.name) }
            }
            for gone in names.keys where next[gone] == nil { events.remove(gone) }
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
        events.takeAll { watch, mask, name in
            if mask & Self.own != 0 {
                // The end of a removed watch is not an event.
                if names[watch] != nil || watch < 0 { matters = true }
            } else if names[watch]?.contains(String(decoding: name, as: UTF8.self)) == true {
                matters = true
            }
        }
        return matters
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
            let path = Directory.path(name, in: directory)
            if name == ".." {
                directory = path
                continue
            }
            steps.append(Step(directory: directory, name: name))
            guard let status = try? FileStatus.of(path) else { return steps }
            guard status.isSymbolicLink else {
                directory = path
                continue
            }
            links += 1
            guard links <= linkLimit, let target = FileName.target(ofLink: path) else { return steps }
            if target.hasPrefix("/") { directory = "/" }
            rest = parts(of: target) + rest
        }
        return steps
    }

    private static func parts(of path: String) -> ArraySlice<String> {
        path.split(separator: "/").filter { $0 != "." }.map(String.init)[...]
    }
}
#endif
