/// The state files of a log directory: `.taffrail/lock` and, when all its slots are in use, `lock2`, `lock3`, …
///
/// Each has 64 slots of 1024 bytes, one for each log of the directory by base name; see ``LogState``. A slot is locked
/// by its byte range. Slots of all files are allocated under the lock of the byte after the last slot of the first
/// file, so that a log has one slot; the byte after that locks the index.
package enum StateFile {
    package static let slotSize = 1024
    package static let slotCount = 64
    static let size = slotSize * slotCount
    /// The maximum number of files.
    package static let limit = 1024
    private static let magic: UInt32 = 0x3153_4654
    private static let nameOffset = 16

    /// A log's slot and its file.
    struct Slot: ~Copyable {
        let file: FileDescriptor
        let index: Int
    }

    /// Finds or allocates the slot of a log. The state directory exists.
    static func slot(of log: LogPath) throws(SystemError) -> Slot {
        let name = Array(log.base.utf8)
        let first = try open(1, of: log)
        try FileLock.acquire(first, start: Int64(size), length: 1)
        var free: (number: Int, index: Int)?
        var number = 1
        while number <= limit {
            if number > 1, try FileStatus.of(path(number, of: log)) == nil { break }
            let file = try allocated(number, of: log)
            let slots = try file.read(size, at: 0)
            let (own, unused) = search(slots, for: name)
            if let own { return Slot(file: file, index: own) }
            if free == nil, let unused { free = (number, unused) }
            number += 1
        }
        for candidate in 1..<number where free == nil {
            if let index = try abandoned(in: allocated(candidate, of: log), of: log) { free = (candidate, index) }
        }
        let taken = free ?? (number, 0)
        guard taken.number <= limit else {
            throw SystemError("\(log.state): all slots of \(limit) state files are in use", code: Errno.noLocks)
        }
        let file = try allocated(taken.number, of: log)
        try file.write(bytes(named: name), at: Int64(taken.index * slotSize))
        return Slot(file: file, index: taken.index)
    }

    /// Runs `body` while no other process changes the index of a directory.
    static func withIndexLock(of log: LogPath, _ body: () throws(SystemError) -> Void) throws(SystemError) {
        let first = try open(1, of: log)
        try FileLock.acquire(first, start: Int64(size) + 1, length: 1)
        try body()
    }

    /// Returns whether a slot belongs to a log.
    package static func isSlot(_ slot: UnsafeRawPointer, named name: [UInt8]) -> Bool {
        slot.loadUnaligned(as: UInt32.self) == magic
            && slot.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == UInt32(name.count)
            && name.elementsEqual(UnsafeRawBufferPointer(start: slot + nameOffset, count: name.count))
    }

    // MARK: Files

    /// Returns the path of a directory's state file, by its number from 1.
    package static func path(_ number: Int, of log: LogPath) -> String {
        number == 1 ? log.lock : log.lock + "\(number)"
    }

    private static func open(_ number: Int, of log: LogPath) throws(SystemError) -> FileDescriptor {
        let path = path(number, of: log)
        let file = try FileDescriptor(path, [.readWrite, .create, .ownFile], closedInChildren: true)
        let status = try file.status()
        guard status.isRegular, status.links == 1, try log.isTrusted(status.owner) else {
            throw SystemError("\(path) is not a file of the current user", code: Errno.notPermitted)
        }
        return file
    }

    /// Opens a file and allocates its space. Requires the lock for allocating slots.
    private static func allocated(_ number: Int, of log: LogPath) throws(SystemError) -> FileDescriptor {
        let file = try open(number, of: log)
        if try file.status().size < Int64(size) {
            try file.allocate(size)
            file.handOver(toOwnerOf: log.path)
        }
        return file
    }

    // MARK: Slots

    /// Returns the slot of a name, and the first free one.
    private static func search(_ slots: [UInt8], for name: [UInt8]) -> (own: Int?, free: Int?) {
        slots.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count == size else { return (nil, nil) }
            var free: Int?
            for index in 0..<slotCount {
                let slot = base + index * slotSize
                if isSlot(slot, named: name) { return (index, free) }
                if free == nil && slot.loadUnaligned(as: UInt32.self) != magic { free = index }
            }
            return (nil, free)
        }
    }

    /// Returns a slot that is not in use and whose log no longer exists. A process that still has it open finds it
    /// without its name, and searches again.
    private static func abandoned(in file: borrowing FileDescriptor, of log: LogPath) throws(SystemError) -> Int? {
        for index in 0..<slotCount {
            let start = Int64(index * slotSize)
            func isNoted() throws(SystemError) -> Bool {
                try file.read(8, at: start + Int64(WriteIntent.offset)) != [UInt8](repeating: 0, count: 8)
            }
            let head = try file.read(nameOffset + LogPath.longestBase, at: start)
            let length = head.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) }
            let name = String(decoding: head[nameOffset...].prefix(min(length, LogPath.longestBase)), as: UTF8.self)
            guard try !isNoted(), isMissing(log.file(name)),
                (try? FileLock.tryAcquire(file, start: start, length: Int64(slotSize))) == true
            else { continue }
            defer { FileLock.release(file, start: start, length: Int64(slotSize)) }
            guard try !isNoted() else { continue }
            try file.write([0, 0, 0, 0], at: start)
            return index
        }
        return nil
    }

    private static func isMissing(_ path: String) -> Bool {
        do throws(SystemError) { return try FileStatus.of(path) == nil } catch { return false }
    }

    /// Returns a new slot with nothing but the name.
    private static func bytes(named name: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: slotSize)
        bytes.withUnsafeMutableBytes { slot in
            slot.storeBytes(of: magic, as: UInt32.self)
            slot.storeBytes(of: UInt32(truncatingIfNeeded: name.count), toByteOffset: 4, as: UInt32.self)
            for (offset, byte) in name.enumerated() { slot[nameOffset + offset] = byte }
        }
        return bytes
    }
}
