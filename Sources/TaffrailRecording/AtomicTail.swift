internal import Taffrail
internal import TaffrailText

/// Replaces the end of a file in one step that a signal cannot divide.
///
/// `write` is divided: the kernel looks for a fatal signal between two pages, and leaves a file that ends in the middle
/// of what was written. So the file first grows by spaces, which may stop anywhere; then its new end is copied over
/// them by one `read` from memory into the mapped file, in which the kernel looks for no signal. Decision note 0002.
final class AtomicTail {
    private let file: FileDescriptor
    /// The file's length, of which what lies behind the last end is spaces.
    private(set) var size = 0
    private let staging: MemoryFile?
    private let faults: RecordingFaults?
    private var window: MemoryMap?
    private var windowStart = 0
    /// How often the step had to be made by a plain `write`.
    private(set) var dividedSteps = 0

    /// By how much the file grows at once.
    static let reserve = 64 << 10
    private static let windowLength = 1 << 20
    private static let page = 4_096

    /// Takes over a file, and holds its lock: nobody repairs what is being written.
    init(_ file: consuming FileDescriptor, _ faults: RecordingFaults? = nil) throws(SystemError) {
        self.faults = faults
        size = try file.size
        self.file = file
        staging = MemoryFile()
        _ = self.file.lock()
    }

    deinit {
        unmap()
        // A child that has not yet become another program would hold the lock on.
        file.unlock()
    }

    /// The file's path.
    var path: String { file.path }

    /// Whether the file has no name any more.
    var isDeleted: Bool { (try? file.status())?.links == 0 }

    /// Puts `bytes` in the place of everything from `offset` on. Either all of it happens or, with an error, nothing.
    ///
    /// - Throws: When the file cannot grow, or another program has shortened it.
    func replace(from offset: Int, with bytes: UnsafeRawBufferPointer) throws(SystemError) {
        let end = offset + bytes.count
        guard try file.size >= size else {
            throw SystemError("another program has shortened \(file.path)", code: Errno.inputOutput)
        }
        if end > size { try grow(to: end) }
        guard copy(bytes, to: offset) else {
            dividedSteps += 1
            try faults?.check("write \(path)")
            try file.write(bytes, at: Int64(offset))
            return
        }
    }

    /// Ends the file at a place, makes it durable and lets go of its lock.
    func cut(at end: Int) throws(SystemError) {
        unmap()
        try file.truncate(to: Int64(end))
        size = end
        try file.synchronize(withAttributes: true)
        file.unlock()
    }

    /// Makes everything so far survive power loss.
    ///
    /// - Throws: Also when the file has been deleted by someone.
    func sync() throws(SystemError) {
        try file.synchronize(withAttributes: true)
        guard !isDeleted else { throw SystemError("\(file.path) has been deleted", code: Errno.missing) }
    }

    /// Appends spaces. Where that fails halfway the file has some more of them, and is as good as before.
    private func grow(to end: Int) throws(SystemError) {
        let length = (end + Self.reserve - 1) / Self.reserve * Self.reserve + Self.reserve - size
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: length)
        try faults?.check("write \(path)")
        let result = spaces.withUnsafeBytes { file.write(all: $0, at: Int64(size)) }
        size += result.written
        if size < end { throw SystemError("write \(path)", code: result.code) }
    }

    // MARK: The one step

    /// Copies within one system call.
    ///
    /// - Returns: `false` where the system cannot do that. What has been copied then is a part of `bytes`, and the
    ///   caller writes them again.
    private func copy(_ bytes: UnsafeRawBufferPointer, to offset: Int) -> Bool {
        guard let staging, staging.file.write(all: bytes, at: 0).code == 0, let target = map(offset, bytes.count) else {
            return false
        }
        // The pages are made present and writable now, so that the copy meets no fault. A kernel before 5.14 does
        // not know this, and meets them in the copy.
        let first = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: target) & ~UInt(Self.page - 1))
        if let first { MemoryMap.populate(first, target - first + bytes.count) }
        return staging.file.readOnce(into: UnsafeMutableRawBufferPointer(start: target, count: bytes.count), at: 0)
            == bytes.count
    }

    /// The address of a stretch of the file.
    private func map(_ offset: Int, _ count: Int) -> UnsafeMutableRawPointer? {
        if let base = address(of: offset, count) { return base }
        unmap()
        windowStart = offset & ~(Self.page - 1)
        let length = max(Self.windowLength, offset - windowStart + count)
        window = try? MemoryMap.shared(fd: file.number, offset: windowStart, length: length)
        return address(of: offset, count)
    }

    /// The same, where it is mapped already.
    private func address(of offset: Int, _ count: Int) -> UnsafeMutableRawPointer? {
        guard offset >= windowStart, offset + count <= windowStart + (window?.length ?? 0) else { return nil }
        return (window?.base).map { $0 + (offset - windowStart) }
    }

    private func unmap() { window = nil }
}

/// A file that has no name and lies in memory.
private final class MemoryFile {
    let file: FileDescriptor

    /// `nil` where the system has none.
    init?() {
        guard let file = try? FileDescriptor(inMemory: "memory") else { return nil }
        self.file = file
    }
}
