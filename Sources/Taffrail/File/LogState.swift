/// A log's slot in a ``StateFile``: its lock, its intent, and the start of its live file. Little-endian.
///
/// | offset in the slot | field |
/// |---|---|
/// | 0 | magic u32, 0 in a free slot; length of the name u32 |
/// | 16 | base name, at most 220 bytes |
/// | 256 | live file: device u64, inode u64, birth time i64, started (this clock, ns since 1970) i64 |
/// | 288 | CRC32C of the live file's four fields u64 |
/// | 296 | earliest and latest record of the live file i64, and its lines u64; all ones if unknown |
/// | 320 | intent, see ``WriteIntent`` |
///
/// If the file system guarantees the bytes of a mapping, the slot is the file's own memory, and a store to it is in the
/// file. On others (btrfs, NFS, FUSE) a store to a mapping kills the program once the disk is full: there the slot is a
/// copy, which ``lock()`` reads and each change writes; that may fail with an error.
final class LogState {
    private static let liveOffset = 256
    private static let countsOffset = 296

    private let file: FileDescriptor
    /// The whole file; `nil` if the slot is a copy.
    private let map: MemoryMap?
    /// The slot's bytes.
    let slot: UnsafeMutableRawPointer
    let log: LogPath
    private let index: Int
    private let name: [UInt8]
    private let opened: FileStatus

    /// Opens the state of a log's directory, which exists, and finds or claims the log's slot.
    init(of log: LogPath) throws(SystemError) {
        try log.createState()
        let found = try StateFile.slot(of: log)
        opened = try found.file.status()
        self.log = log
        name = Array(log.base.utf8)
        index = found.index
        if found.file.keepsMappedBytes {
            let whole = try MemoryMap.shared(fd: found.file.number, offset: 0, length: StateFile.size)
            slot = whole.base + found.index * StateFile.slotSize
            map = consume whole
        } else {
            map = nil
            slot = .allocate(byteCount: StateFile.slotSize, alignment: 16)
            slot.initializeMemory(as: UInt8.self, repeating: 0, count: StateFile.slotSize)
        }
        file = found.file
    }

    deinit { if map == nil { slot.deallocate() } }

    /// Whether this is a forked child, which has to reopen the state.
    var isOfParent: Bool { file.wasClosedByFork }

    private var offset: Int64 { Int64(index * StateFile.slotSize) }

    /// Waits for the log's lock.
    func lock() throws(SystemError) {
        try FileLock.acquire(file, start: offset, length: Int64(StateFile.slotSize))
        guard map == nil else { return }
        do throws(SystemError) {
            let bytes = try file.read(StateFile.slotSize, at: offset)
            slot.initializeMemory(as: UInt8.self, repeating: 0, count: StateFile.slotSize)
            bytes.withUnsafeBytes { if let base = $0.baseAddress { slot.copyMemory(from: base, byteCount: $0.count) } }
        } catch {
            unlock()
            throw error
        }
    }

    func unlock() { FileLock.release(file, start: offset, length: Int64(StateFile.slotSize)) }

    /// Returns whether the state file is still the one at its path, and the slot still this log's. Requires the lock.
    func isCurrent() throws(SystemError) -> Bool {
        guard let status = try FileStatus.of(file.path) else { return false }
        return status.inode == opened.inode && status.device == opened.device && status.size >= Int64(StateFile.size)
            && isOwn
    }

    /// Whether the slot still has the log's name.
    var isOwn: Bool { StateFile.isSlot(slot, named: name) }

    /// Writes a part of the copy to the file.
    private func save(_ range: Range<Int>) throws(SystemError) {
        guard map == nil else { return }
        try file.write(
            UnsafeRawBufferPointer(start: slot + range.lowerBound, count: range.count),
            at: offset + Int64(range.lowerBound))
    }

    // MARK: Intent

    func store(_ intent: WriteIntent) throws(SystemError) {
        intent.store(in: slot)
        try save(WriteIntent.offset..<WriteIntent.end(textLength: intent.text.count))
    }

    /// Clears the intent and keeps the counts. If that fails, the next holder of the lock finds the intent and resolves
    /// it.
    func clearIntent() throws(SystemError) {
        WriteIntent.clear(in: slot)
        try save(Self.countsOffset..<WriteIntent.offset + 8)
    }

    // MARK: Live file

    /// Returns the start of the live file, by the clock of its creator; `nil` if unknown.
    func started(_ live: FileIdentity) -> Int64? {
        let at = slot + Self.liveOffset
        let noted = FileIdentity(
            device: at.load(as: UInt64.self), inode: at.load(fromByteOffset: 8, as: UInt64.self),
            birth: at.load(fromByteOffset: 16, as: Int64.self))
        guard noted == live, at.load(fromByteOffset: 32, as: UInt64.self) == liveCheck else { return nil }
        return at.load(fromByteOffset: 24, as: Int64.self)
    }

    func setStarted(_ live: FileIdentity, _ started: Int64) throws(SystemError) {
        let at = slot + Self.liveOffset
        SharedWord.store(0, at: at + 32)
        at.storeBytes(of: live.device, as: UInt64.self)
        at.storeBytes(of: live.inode, toByteOffset: 8, as: UInt64.self)
        at.storeBytes(of: live.birth, toByteOffset: 16, as: Int64.self)
        at.storeBytes(of: started, toByteOffset: 24, as: Int64.self)
        SharedWord.store(liveCheck, at: at + 32)
        try save(Self.liveOffset..<Self.liveOffset + 40)
    }

    private var liveCheck: UInt64 {
        1 << 32 | UInt64(Checksum.crc32c(UnsafeRawBufferPointer(start: slot + Self.liveOffset, count: 32)))
    }

    // MARK: Counts

    /// The live file's lines, and the times of its earliest and latest record, if all of it was written by sinks that
    /// count; `nil` if they are unknown.
    var counts: (lines: Int64, earliest: Int64, latest: Int64)? {
        guard let lines = Int64(exactly: SharedWord.load(slot + 312)) else { return nil }
        return (lines, slot.load(fromByteOffset: 296, as: Int64.self), slot.load(fromByteOffset: 304, as: Int64.self))
    }

    /// Starts counting, for an empty file.
    func startCounts() throws(SystemError) {
        slot.storeBytes(of: .max, toByteOffset: 296, as: Int64.self)
        slot.storeBytes(of: .min, toByteOffset: 304, as: Int64.self)
        SharedWord.store(0, at: slot + 312)
        try save(Self.countsOffset..<WriteIntent.offset)
    }

    /// Counts a written block; ``clearIntent()`` stores the counts.
    func count(_ block: LineBlock.Extent) {
        guard let counts else { return }
        slot.storeBytes(of: min(counts.earliest, block.earliest), toByteOffset: 296, as: Int64.self)
        slot.storeBytes(of: max(counts.latest, block.latest), toByteOffset: 304, as: Int64.self)
        SharedWord.store(UInt64(counts.lines) &+ UInt64(block.lines), at: slot + 312)
    }

    /// Stops counting until the next file.
    func forgetCounts() throws(SystemError) {
        SharedWord.store(.max, at: slot + 312)
        try save(Self.countsOffset..<WriteIntent.offset)
    }
}
