internal import CTaffrail
internal import Glibc
internal import Taffrail
internal import TaffrailText

/// Replaces the end of a file in one step that a signal cannot divide.
///
/// `write` is divided: the kernel looks for a fatal signal between two pages, and leaves a file that ends in the middle
/// of what was written. So the file first grows by spaces, which may stop anywhere; then its new end is copied over
/// them by one `read` from memory into the mapped file, in which the kernel looks for no signal. Decision note 0002.
final class UndividedTail {
    private let file: File
    /// The file's length, of which what lies behind the last end is spaces.
    private(set) var size = 0
    private let staging: MemoryFile?
    private var window: UnsafeMutableRawBufferPointer?
    private var windowStart = 0
    /// How often the step had to be made by a plain `write`.
    private(set) var dividedSteps = 0

    /// By how much the file grows at once.
    static let reserve = 64 << 10
    private static let windowLength = 1 << 20
    private static let page = 4_096

    /// Takes over a file, and holds its lock: nobody repairs what is being written.
    init(_ file: consuming File) throws(SystemError) {
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
    var isDeleted: Bool { file.links == 0 }

    /// Puts `bytes` in the place of everything from `offset` on. Either all of it happens or, with an error, nothing.
    ///
    /// - Throws: When the file cannot grow, or another program has shortened it.
    func replace(from offset: Int, with bytes: UnsafeRawBufferPointer) throws(SystemError) {
        let end = offset + bytes.count
        guard try file.size >= size else {
            throw SystemError("another program has shortened \(file.path)", code: EIO)
        }
        if end > size { try grow(to: end) }
        guard copy(bytes, to: offset) else {
            dividedSteps += 1
            if let failure = file.write(bytes, at: offset).failure { throw failure }
            return
        }
    }

    /// Ends the file at a place, makes it durable and lets go of its lock.
    func cut(at end: Int) throws(SystemError) {
        unmap()
        try file.truncate(to: end)
        size = end
        try file.sync()
        file.unlock()
    }

    /// Makes everything so far survive power loss.
    ///
    /// - Throws: Also when the file has been deleted by someone.
    func sync() throws(SystemError) {
        try file.sync()
        guard !isDeleted else { throw SystemError("\(file.path) has been deleted", code: ENOENT) }
    }

    /// Appends spaces. Where that fails halfway the file has some more of them, and is as good as before.
    private func grow(to end: Int) throws(SystemError) {
        let length = (end + Self.reserve - 1) / Self.reserve * Self.reserve + Self.reserve - size
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: length)
        let result = spaces.withUnsafeBytes { file.write($0, at: size) }
        size += result.count
        if size < end { throw result.failure ?? SystemError("write \(file.path)", code: ENOSPC) }
    }

    // MARK: The one step

    /// Copies within one system call.
    ///
    /// - Returns: `false` where the system cannot do that. What has been copied then is a part of `bytes`, and the
    ///   caller writes them again.
    private func copy(_ bytes: UnsafeRawBufferPointer, to offset: Int) -> Bool {
        guard let staging, staging.file.write(bytes, at: 0).failure == nil, let target = map(offset, bytes.count) else {
            return false
        }
        // The pages are made present and writable now, so that the copy meets no fault. A kernel before 5.14 does
        // not know this, and meets them in the copy.
        let first = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: target) & ~UInt(Self.page - 1))
        if let first { _ = madvise(first, target - first + bytes.count, Int32(TAFFRAIL_MADV_POPULATE_WRITE)) }
        return pread(staging.file.descriptor, target, bytes.count, 0) == bytes.count
    }

    /// The address of a stretch of the file.
    private func map(_ offset: Int, _ count: Int) -> UnsafeMutableRawPointer? {
        if let window, let base = window.baseAddress, offset >= windowStart,
            offset + count <= windowStart + window.count
        {
            return base + (offset - windowStart)
        }
        unmap()
        let start = offset & ~(Self.page - 1)
        let length = max(Self.windowLength, offset - start + count)
        guard let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, off_t(start)),
            base != MAP_FAILED
        else { return nil }
        window = UnsafeMutableRawBufferPointer(start: base, count: length)
        windowStart = start
        return base + (offset - start)
    }

    private func unmap() {
        if let window { munmap(window.baseAddress, window.count) }
        window = nil
    }
}

/// A file that has no name and lies in memory.
private final class MemoryFile {
    let file: File

    /// `nil` where the system has none.
    init?() {
        let descriptor = taffrail_memory_file()
        guard descriptor >= 0 else { return nil }
        file = File(descriptor: descriptor, path: "memory")
    }
}
