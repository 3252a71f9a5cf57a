internal import CTaffrail

/// A log's slot in a ``StateFile``: its lock, its intent, and since when its live file is. Little-endian.
///
/// | offset in the slot | field |
/// |---|---|
/// | 0 | magic u32, 0 in a free slot; length of the name u32 |
/// | 16 | base name, at most 220 bytes |
/// | 256 | live file: device u64, inode u64, birth time i64, started (our clock, ns since 1970) i64 |
/// | 288 | CRC32C of the live file's four fields u64 |
/// | 296 | earliest and latest record of the live file i64, and its lines u64; all ones where that is not known |
/// | 320 | intent, see ``WriteIntent`` |
///
/// Where the file system lets a mapping keep its bytes, the slot is the file's own memory and what is stored in it is in
/// the file. Elsewhere (btrfs, NFS, FUSE) a store into a mapping kills the program once the disk is full: there the slot
/// is a copy, which ``lock()`` reads and each change writes; that may fail with an error.
final class LogState {
    static let slotSize = StateFile.slotSize
    private static let liveOffset = 256
    private static let countsOffset = 296

    private let file: FileDescriptor
    /// The whole file; `nil` where the slot is a copy.
    private let map: MemoryMap?
    private let isCopy: Bool
    /// The slot's bytes.
    let slot: UnsafeMutableRawPointer
    let log: LogPath
    private let path: String
    private let index: Int
    private let name: [UInt8]
    private let device: UInt64
    private let inode: UInt64

    /// Opens the state of a log's directory, which exists, and finds or takes the log's slot.
    init(of log: LogPath) throws(SystemError) {
        try log.createState()
        let found = try StateFile.slot(of: log)
        let status = try found.file.status()
        self.log = log
        name = Array(log.base.utf8)
        path = found.path
        index = found.index
        device = status.device
        inode = status.inode
        isCopy = taffrail_keeps_mapped_bytes(found.file.number) == 0
        if isCopy {
            map = nil
            slot = .allocate(byteCount: Self.slotSize, alignment: 16)
            slot.initializeMemory(as: UInt8.self, repeating: 0, count: Self.slotSize)
        } else {
            let whole = try MemoryMap.shared(fd: found.file.number, offset: 0, length: StateFile.size)
            slot = whole.base + found.index * Self.slotSize
            map = consume whole
        }
        file = found.file
    }

    deinit { if isCopy { slot.deallocate() } }

    /// Whether this is a forked child, which has to open the state anew.
    var isOfParent: Bool { file.wasClosedByFork }

    private var offset: Int64 { Int64(index * Self.slotSize) }

    /// Waits for the log's lock.
    func lock() throws(SystemError) {
        try FileLock.acquire(file, start: offset, length: Int64(Self.slotSize))
        guard isCopy else { return }
        do throws(SystemError) {
            let bytes = try file.read(Self.slotSize, at: offset)
            slot.initializeMemory(as: UInt8.self, repeating: 0, count: Self.slotSize)
            bytes.withUnsafeBytes { if let base = $0.baseAddress { slot.copyMemory(from: base, byteCount: $0.count) } }
        } catch {
            unlock()
            throw error
        }
    }

    /// Gives the log's lock back.
    func unlock() { FileLock.release(file, start: offset, length: Int64(Self.slotSize)) }

    /// Whether the state file is still the one that others open, and the slot still ours. Asked under the lock.
    func isCurrent() throws(SystemError) -> Bool {
        guard let status = try FileStatus.of(path) else { return false }
        return status.inode == inode && status.device == device && status.size >= Int64(StateFile.size) && isOwn
    }

    /// Whether the slot still has the log's name.
    var isOwn: Bool { StateFile.isSlot(slot, named: name) }

    /// Runs `body` while nobody else changes the index.
    func withIndexLock(_ body: () throws(SystemError) -> Void) throws(SystemError) {
        try StateFile.withIndexLock(of: log, body)
    }

    /// Writes a part of a copy into the file.
    private func save(_ range: Range<Int>) throws(SystemError) {
        guard isCopy else { return }
        try file.write(
            UnsafeRawBufferPointer(start: slot + range.lowerBound, count: range.count),
            at: offset + Int64(range.lowerBound))
    }

    // MARK: Intent

    /// Stores what is about to be done.
    func store(_ intent: WriteIntent) throws(SystemError) {
        intent.store(in: slot)
        try save(WriteIntent.offset..<WriteIntent.end(textLength: intent.text.count))
    }

    /// Takes the intent away, and keeps the counts. Where that fails, the next holder of the lock finds the intent, and
    /// settles it.
    func clearNote() throws(SystemError) {
        WriteIntent.clear(in: slot)
        try save(Self.countsOffset..<WriteIntent.offset + 8)
    }

    // MARK: Live file

    /// When the live file was started, by the clock of who created it; `nil` where that is not known.
    func started(_ live: FileIdentity) -> Int64? {
        let at = slot + Self.liveOffset
        let noted = FileIdentity(
            device: at.load(as: UInt64.self), inode: at.load(fromByteOffset: 8, as: UInt64.self),
            birth: at.load(fromByteOffset: 16, as: Int64.self))
        guard noted == live, at.load(fromByteOffset: 32, as: UInt64.self) == liveCheck else { return nil }
        return at.load(fromByteOffset: 24, as: Int64.self)
    }

    /// Remembers when the live file was started.
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

    /// What the live file has, where all of it was written by sinks that count.
    struct Counts {
        let lines: Int64
        let earliest: Int64
        let latest: Int64
    }

    /// The live file's counts; `nil` where they are not known, or no file can have so many lines.
    var counts: Counts? {
        guard let lines = Int64(exactly: SharedWord.load(slot + 312)) else { return nil }
        return Counts(
            lines: lines, earliest: slot.load(fromByteOffset: 296, as: Int64.self),
            latest: slot.load(fromByteOffset: 304, as: Int64.self))
    }

    /// Starts to count, for an empty file.
    func startCounts() throws(SystemError) {
        slot.storeBytes(of: .max, toByteOffset: 296, as: Int64.self)
        slot.storeBytes(of: .min, toByteOffset: 304, as: Int64.self)
        SharedWord.store(0, at: slot + 312)
        try save(Self.countsOffset..<WriteIntent.offset)
    }

    /// Adds a block that has been written; ``clearNote()`` keeps it.
    func count(_ block: LineBlock.Extent) {
        guard let counts else { return }
        slot.storeBytes(of: min(counts.earliest, block.earliest), toByteOffset: 296, as: Int64.self)
        slot.storeBytes(of: max(counts.latest, block.latest), toByteOffset: 304, as: Int64.self)
        SharedWord.store(UInt64(counts.lines) &+ UInt64(block.lines), at: slot + 312)
    }

    /// Gives the counts up until the next file.
    func forgetCounts() throws(SystemError) {
        SharedWord.store(.max, at: slot + 312)
        try save(Self.countsOffset..<WriteIntent.offset)
    }
}
