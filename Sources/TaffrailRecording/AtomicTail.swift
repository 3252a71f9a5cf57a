internal import Taffrail
internal import TaffrailText

/// Replaces the end of a file in one step that no signal can interrupt.
///
/// `write` can be interrupted: the kernel checks for a fatal signal between two pages, and leaves a partial write. The
/// file is therefore first extended with spaces, a step that may be interrupted at any point. One `read` then copies
/// the new end from memory into the mapped file, over the spaces; meanwhile the kernel checks for no signal. See
/// TaffrailGeo's decision note 0002.
final class AtomicTail {
    private let file: FileDescriptor
    /// The file's length, including the spaces after its end.
    private(set) var size = 0
    private let staging: MemoryFile?
    private let faults: RecordingFaults?
    private var window: MemoryMap?
    private var windowStart = 0
    /// The number of times that a plain `write` had to be used.
    private(set) var dividedSteps = 0

    /// The number of bytes by which the file grows at a time.
    static let reserve = 64 << 10
    private static let windowLength = 1 << 20
    private static let page = 4_096

    /// Takes ownership of a file and locks it, so that it is not repaired while it is being written. A forked child
    /// inherits neither: the recording is the parent's.
    init(_ file: consuming FileDescriptor, _ faults: RecordingFaults? = nil) throws(SystemError) {
        self.faults = faults
        size = try file.size
        file.closeInChildren()
        self.file = file
        staging = MemoryFile()
        _ = self.file.lock()
    }

    deinit {
        unmap()
        // A forked child that has not called `exec` would keep the lock.
        file.unlock()
    }

    /// The file's path.
    var path: String { file.path }

    /// Whether the file has been deleted.
    var isDeleted: Bool { (try? file.status())?.links == 0 }

    /// Whether another program has truncated the file.
    var isTruncated: Bool { (try? file.status()).map { $0.size < size } ?? false }

    /// Replaces everything from `offset` on with `bytes`; changes nothing if it throws.
    ///
    /// - Throws: When the file cannot grow, or another program has truncated it.
    func replace(from offset: Int, with bytes: UnsafeRawBufferPointer) throws(SystemError) {
        let end = offset + bytes.count
        guard try file.size >= size else {
            throw SystemError("another program has truncated \(file.path)", code: Errno.inputOutput)
        }
        if end > size { try grow(to: end) }
        guard copy(bytes, to: offset) else {
            dividedSteps += 1
            try faults?.check("write \(path)")
            try file.write(bytes, at: Int64(offset))
            return
        }
    }

    /// Truncates the file at an offset, makes it durable and unlocks it.
    func cut(at end: Int) throws(SystemError) {
        unmap()
        try file.truncate(to: Int64(end))
        size = end
        try file.synchronize(withAttributes: true)
        file.unlock()
    }

    /// Makes everything written so far survive power loss.
    ///
    /// - Throws: Also when the file has been deleted.
    func sync() throws(SystemError) {
        try file.synchronize(withAttributes: true)
        guard !isDeleted else { throw SystemError("\(file.path) has been deleted", code: Errno.missing) }
    }

    /// Appends spaces. After a partial failure the file ends with some of them, and is still valid.
    private func grow(to end: Int) throws(SystemError) {
        let length = (end + Self.reserve - 1) / Self.reserve * Self.reserve + Self.reserve - size
        let spaces = [UInt8](repeating: UInt8(ascii: " "), count: length)
        try faults?.check("write \(path)")
        let result = spaces.withUnsafeBytes { file.write(all: $0, at: Int64(size)) }
        size += result.written
        if size < end { throw SystemError("write \(path)", code: result.code) }
    }

    // MARK: The atomic step

    /// Copies with a single system call.
    ///
    /// - Returns: `false` if the system does not support this. A part of `bytes` may have been copied; the caller then
    ///   writes all of them again.
    private func copy(_ bytes: UnsafeRawBufferPointer, to offset: Int) -> Bool {
        guard let staging, staging.file.write(all: bytes, at: 0).code == 0, let target = map(offset, bytes.count) else {
            return false
        }
        // Populate the pages now, so that the copy causes no fault. Kernels before 5.14 do not support this, and fault
        // during the copy.
        let first = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: target) & ~UInt(Self.page - 1))
        if let first { MemoryMap.populate(first, target - first + bytes.count) }
        return staging.file.readOnce(into: UnsafeMutableRawBufferPointer(start: target, count: bytes.count), at: 0)
            == bytes.count
    }

    /// Returns the address of a range of the file.
    private func map(_ offset: Int, _ count: Int) -> UnsafeMutableRawPointer? {
        if let base = address(of: offset, count) { return base }
        unmap()
        windowStart = offset & ~(Self.page - 1)
        let length = max(Self.windowLength, offset - windowStart + count)
        window = try? MemoryMap.shared(fd: file.number, offset: windowStart, length: length)
        return address(of: offset, count)
    }

    /// Returns the address of a range of the file, if it is already mapped.
    private func address(of offset: Int, _ count: Int) -> UnsafeMutableRawPointer? {
        guard offset >= windowStart, offset + count <= windowStart + (window?.length ?? 0) else { return nil }
        return (window?.base).map { $0 + (offset - windowStart) }
    }

    private func unmap() { window = nil }
}

/// An anonymous file in memory.
private final class MemoryFile {
    let file: FileDescriptor

    /// `nil` if the system does not support memory files.
    init?() {
        guard var file = try? FileDescriptor(inMemory: "memory") else { return nil }
        file.closeInChildren()
        self.file = file
    }
}
