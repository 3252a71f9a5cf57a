public import FoundationEssentials
internal import Glibc
internal import Synchronization
internal import TaffrailText

/// A folder that lies in memory, for tests of recordings without disk I/O, whose files can be made to fail.
///
/// Give ``directory`` to a ``GeoLogger``, a ``RecordingManager`` or a ``RecordingSession``; nothing of it is on any disk.
/// Any thread. All of it is gone with the value.
public final class MockFileManager: Sendable {
    /// How files can fail.
    public enum Failure: Sendable, Hashable, CaseIterable {
        /// Nothing can be made or written: `EACCES`.
        case denied
        /// There is no space: `ENOSPC`.
        case full
        /// The device fails: `EIO`.
        case broken

        fileprivate var code: Int32 {
            switch self {
            case .denied: EACCES
            case .full: ENOSPC
            case .broken: EIO
            }
        }
    }

    /// The folder; it has a name that no file of the system has.
    public let directory: URL
    private let files: MemoryFolder

    /// Makes an empty folder.
    public init() {
        let path = "/taffrail-memory/\(UUID().uuidString)"
        directory = URL(filePath: path)
        files = MemoryFolder(path)
        FileNames.add(files, below: path)
    }

    /// Makes or replaces a file.
    public func createFile(_ name: String, contents: [UInt8]) { files.put(contents, as: path(name)) }

    /// What a file holds; `nil` when there is none.
    public func contents(_ name: String) -> [UInt8]? { files.contents(path(name)) }

    /// The names of all files in the folder, sorted.
    public var names: [String] { (files.names(in: directory.path) ?? []).sorted() }

    /// Lets everything that makes or writes files fail from now on; `nil`: no more.
    public func fail(_ failure: Failure?) { files.fail(failure?.code ?? 0) }

    private func path(_ name: String) -> String { directory.path + "/" + name }
}

/// Files in memory by their paths.
private final class MemoryFolder: VirtualFiles {
    /// A file without a name in the system.
    private final class Memory: Sendable {
        let descriptor: Int32
        init() { descriptor = FileNames.memoryFile() }
        deinit { close(descriptor) }
    }

    private struct State {
        var files: [String: Memory] = [:]
        var folders: Set<String>
        var failure: Int32 = 0
    }

    private let state: Mutex<State>

    init(_ path: String) { state = Mutex(State(folders: [path])) }

    func fail(_ code: Int32) { state.withLock { $0.failure = code } }

    func put(_ bytes: [UInt8], as path: String) {
        let memory = Memory()
        _ = bytes.withUnsafeBytes { pwrite(memory.descriptor, $0.baseAddress, $0.count, 0) }
        state.withLock { $0.files[path] = memory }
    }

    func contents(_ path: String) -> [UInt8]? {
        guard let memory = state.withLock({ $0.files[path] }) else { return nil }
        var status = stat()
        guard fstat(memory.descriptor, &status) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { pread(memory.descriptor, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, count)))
    }

    func open(_ path: String, flags: Int32) -> Int32 {
        state.withLock { state in
            if flags & O_DIRECTORY != 0 {
                return state.folders.contains(path) ? Self.opened(Memory(), O_RDWR) : -ENOENT
            }
            if flags & O_CREAT != 0 {
                guard state.failure == 0 else { return -state.failure }
                guard state.folders.contains(Self.folder(of: path)) else { return -ENOENT }
                if flags & O_EXCL != 0 && state.files[path] != nil { return -EEXIST }
                if state.files[path] == nil { state.files[path] = Memory() }
            }
            guard let memory = state.files[path] else { return -ENOENT }
            return Self.opened(memory, flags)
        }
    }

    /// Another opening of a file in memory, with a place and a lock of its own.
    private static func opened(_ memory: Memory, _ flags: Int32) -> Int32 {
        let access = flags & (O_RDONLY | O_WRONLY | O_RDWR)
        let result = Glibc.open("/proc/self/fd/\(memory.descriptor)", access | O_CLOEXEC)
        return result >= 0 ? result : -errno
    }

    func remove(_ path: String) -> Int32 {
        state.withLock { $0.files.removeValue(forKey: path) == nil ? ENOENT : 0 }
    }

    func rename(_ path: String, to other: String, mayReplace: Bool) -> Int32 {
        state.withLock { state in
            guard let memory = state.files[path] else { return ENOENT }
            guard mayReplace || state.files[other] == nil else { return EEXIST }
            state.files[path] = nil
            state.files[other] = memory
            return 0
        }
    }

    func link(_ path: String, to other: String) -> Int32 {
        state.withLock { state in
            guard let memory = state.files[path] else { return ENOENT }
            guard state.files[other] == nil else { return EEXIST }
            state.files[other] = memory
            return 0
        }
    }

    func makeDirectory(_ path: String) -> Int32 {
        state.withLock { state in
            guard !state.folders.contains(path) else { return EEXIST }
            guard state.failure == 0 else { return state.failure }
            guard state.folders.contains(Self.folder(of: path)) else { return ENOENT }
            state.folders.insert(path)
            return 0
        }
    }

    func names(in directory: String) -> [String]? {
        state.withLock { state in
            guard state.folders.contains(directory) else { return nil }
            return state.files.keys.filter { Self.folder(of: $0) == directory }.map {
                String($0.dropFirst(directory.count + 1))
            }
        }
    }

    func exists(_ path: String) -> Bool { state.withLock { $0.files[path] != nil } }

    func writeFailure(_ path: String) -> Int32 { state.withLock { $0.failure } }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
