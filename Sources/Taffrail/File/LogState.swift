internal import Glibc

/// A log's slot in the state file `LOGDIR/.taffrail/lock`: its lock, its note, and since when its live file is.
///
/// The file has 64 slots of 1024 bytes, one for each log of the directory by base name. Little-endian.
///
/// | offset in the slot | field |
/// |---|---|
/// | 0 | magic u32, 0 in a free slot; length of the name u32 |
/// | 16 | base name, at most 220 bytes |
/// | 256 | live file: device u64, inode u64, birth time i64, started (our clock, ns since 1970) i64 |
/// | 288 | CRC32C of the live file's four fields u64 |
/// | 296 | earliest and latest record of the live file i64, and its lines u64; all ones where that is not known |
/// | 320 | note, see ``LogNote`` |
///
/// A slot is locked by its byte range; giving out slots has a lock of its own behind the last slot. Everything is
/// read and written through a shared mapping, for which the file's space is allocated: a full disk cannot hit it.
final class LogState {
    static let slotSize = 1024
    static let slotCount = 64
    private static let size = slotSize * slotCount
    private static let magic: UInt32 = 0x3153_4654
    private static let nameOffset = 16
    private static let liveOffset = 256

    private let file: FileDescriptor
    private let map: MemoryMap
    private let device: UInt64
    private let inode: UInt64
    private let path: String
    private let index: Int
    private let name: [UInt8]

    /// Opens the state of a log's directory, which exists, and finds or takes the log's slot.
    init(of log: LogDirectory) throws(SystemError) {
        path = log.lock
        name = Array(log.base.utf8)
        try log.createState()
        file = try FileDescriptor.open(
            path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, closedInChildren: true)
        var status = try file.status()
        guard status.isRegular, status.links == 1, try log.isTrusted(status.owner) else {
            throw SystemError("\(path) is not a file of our own", code: EPERM)
        }
        try FileLock.acquire(file, start: Int64(LogState.size), length: 1)
        if status.size < Int64(LogState.size) {
            let code = posix_fallocate(file.number, 0, off_t(LogState.size))
            guard code == 0 else { throw SystemError("allocate \(path)", code: code) }
            status = try file.status()
        }
        device = status.device
        inode = status.inode
        map = try MemoryMap.shared(fd: file.number, offset: 0, length: LogState.size)
        guard let found = LogState.slot(for: name, in: map.base, file, log) else {
            throw SystemError("\(path): all \(LogState.slotCount) slots are in use", code: ENOLCK)
        }
        index = found
        FileLock.release(file, start: Int64(LogState.size), length: 1)
    }

    /// Whether this is a forked child, which has to open the state anew.
    var isOfParent: Bool { file.wasClosedByFork }

    /// The slot's bytes.
    var slot: UnsafeMutableRawPointer { map.base + index * LogState.slotSize }

    /// Waits for the log's lock.
    func lock() throws(SystemError) {
        try FileLock.acquire(file, start: Int64(index * LogState.slotSize), length: Int64(LogState.slotSize))
    }

    /// Gives the log's lock back.
    func unlock() {
        FileLock.release(file, start: Int64(index * LogState.slotSize), length: Int64(LogState.slotSize))
    }

    /// Whether the state file is still the one that others open, and the slot still ours. Asked under the lock.
    func isCurrent() throws(SystemError) -> Bool {
        guard let status = try FileStatus.of(path) else { return false }
        return status.inode == inode && status.device == device && status.size >= Int64(LogState.size)
            && LogState.name(of: slot, is: name)
    }

    /// When the live file was started, by the clock of who created it; `nil` where that is not known.
    func started(_ live: FileIdentity) -> Int64? {
        let at = slot + LogState.liveOffset
        let noted = FileIdentity(
            device: at.load(as: UInt64.self), inode: at.load(fromByteOffset: 8, as: UInt64.self),
            birth: at.load(fromByteOffset: 16, as: Int64.self))
        guard noted == live, at.load(fromByteOffset: 32, as: UInt64.self) == liveCheck else { return nil }
        return at.load(fromByteOffset: 24, as: Int64.self)
    }

    /// Remembers when the live file was started.
    func setStarted(_ live: FileIdentity, _ started: Int64) {
        let at = slot + LogState.liveOffset
        SharedWord.store(0, at: at + 32)
        at.storeBytes(of: live.device, as: UInt64.self)
        at.storeBytes(of: live.inode, toByteOffset: 8, as: UInt64.self)
        at.storeBytes(of: live.birth, toByteOffset: 16, as: Int64.self)
        at.storeBytes(of: started, toByteOffset: 24, as: Int64.self)
        SharedWord.store(liveCheck, at: at + 32)
    }

    private var liveCheck: UInt64 {
        1 << 32 | UInt64(Checksum.crc32c(UnsafeRawBufferPointer(start: slot + LogState.liveOffset, count: 32)))
    }

    // MARK: Counts

    /// What the live file has, where all of it was written by sinks that count.
    struct Counts {
        let lines: Int64
        let earliest: Int64
        let latest: Int64
    }

    /// The live file's counts; `nil` where they are not known.
    var counts: Counts? {
        let lines = SharedWord.load(slot + 312)
        guard lines != .max else { return nil }
        return Counts(
            lines: Int64(truncatingIfNeeded: lines), earliest: slot.load(fromByteOffset: 296, as: Int64.self),
            latest: slot.load(fromByteOffset: 304, as: Int64.self))
    }

    /// Starts to count, for an empty file.
    func startCounts() {
        slot.storeBytes(of: .max, toByteOffset: 296, as: Int64.self)
        slot.storeBytes(of: .min, toByteOffset: 304, as: Int64.self)
        SharedWord.store(0, at: slot + 312)
    }

    /// Adds a block that has been written.
    func count(_ block: LockedLog.Extent) {
        guard let counts else { return }
        slot.storeBytes(of: min(counts.earliest, block.earliest), toByteOffset: 296, as: Int64.self)
        slot.storeBytes(of: max(counts.latest, block.latest), toByteOffset: 304, as: Int64.self)
        SharedWord.store(UInt64(counts.lines) &+ UInt64(block.lines), at: slot + 312)
    }

    /// Gives the counts up until the next file.
    func forgetCounts() { SharedWord.store(.max, at: slot + 312) }

    /// Runs `body` while nobody else changes the index.
    func withIndexLock(_ body: () throws(SystemError) -> Void) throws(SystemError) {
        try FileLock.acquire(file, start: Int64(LogState.size) + 1, length: 1)
        defer { FileLock.release(file, start: Int64(LogState.size) + 1, length: 1) }
        try body()
    }

    // MARK: Slots

    /// The slot of a name, taken where it is new. Called under the lock for giving out slots.
    private static func slot(
        for name: [UInt8], in map: UnsafeMutableRawPointer, _ file: borrowing FileDescriptor, _ log: LogDirectory
    ) -> Int? {
        var free: Int?
        for index in 0..<slotCount {
            let slot = map + index * slotSize
            if Self.name(of: slot, is: name) { return index }
            if free == nil && slot.load(as: UInt32.self) != magic { free = index }
        }
        guard let index = free ?? abandoned(in: map, file, log) else { return nil }
        let slot = map + index * slotSize
        slot.initializeMemory(as: UInt8.self, repeating: 0, count: slotSize)
        slot.storeBytes(of: UInt32(truncatingIfNeeded: name.count), toByteOffset: 4, as: UInt32.self)
        name.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress {
                (slot + nameOffset).copyMemory(from: source, byteCount: bytes.count)
            }
        }
        SharedWord.store(UInt64(slot.load(fromByteOffset: 4, as: UInt32.self)) << 32 | UInt64(magic), at: slot)
        return index
    }

    /// A slot whose log is gone and at which nobody is. Whoever still has it open sees the new name and looks again.
    private static func abandoned(
        in map: UnsafeMutableRawPointer, _ file: borrowing FileDescriptor, _ log: LogDirectory
    ) -> Int? {
        for index in 0..<slotCount {
            let slot = map + index * slotSize
            let length = min(Int(slot.load(fromByteOffset: 4, as: UInt32.self)), LogDirectory.longestBase)
            let name = String(
                decoding: UnsafeRawBufferPointer(start: slot + nameOffset, count: length), as: UTF8.self)
            guard !LogNote.isPresent(in: slot), isMissing(log.file(name)),
                (try? FileLock.tryAcquire(file, start: Int64(index * slotSize), length: Int64(slotSize))) == true
            else { continue }
            slot.storeBytes(of: 0, as: UInt32.self)
            FileLock.release(file, start: Int64(index * slotSize), length: Int64(slotSize))
            return index
        }
        return nil
    }

    private static func isMissing(_ path: String) -> Bool {
        do throws(SystemError) { return try FileStatus.of(path) == nil } catch { return false }
    }

    static func name(of slot: UnsafeMutableRawPointer, is name: [UInt8]) -> Bool {
        slot.load(as: UInt32.self) == magic && slot.load(fromByteOffset: 4, as: UInt32.self) == UInt32(name.count)
            && name.elementsEqual(UnsafeRawBufferPointer(start: slot + nameOffset, count: name.count))
    }
}
