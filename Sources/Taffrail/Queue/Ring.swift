internal import CTaffrail
internal import Glibc

/// One run's ring, mapped: the header, the tables, the data twice in a row, and the lock that says that the
/// run is alive.
final class Ring: @unchecked Sendable {
    let run: RingID
    let header: RingHeader
    let data: UnsafeMutableRawPointer
    /// What the numbers in the records stand for.
    var tables: RingTables {
        RingTables(header.contextTable, siteLength: CallSiteTable.length(beside: capacity))
    }
    let capacity: Int
    let secret: UInt64
    /// The file's path; `nil` for a ring in memory.
    let path: String?

    private let dataMap: MemoryMap
    private let lock: CInt

    /// Where positions start: so far apart from every earlier ring of this process that no position comes twice.
    private init(
        fd: CInt, lock: CInt, path: String?, run: RingID, capacity: Int, start: UInt64, encoder: String,
        destination: String, sinks: [String] = []
    ) throws(SystemError) {
        let headerMap = try MemoryMap.shared(fd: fd, offset: 0, length: RingHeader.dataOffset(capacity: capacity))
        dataMap = try MemoryMap.mirrored(fd: fd, offset: RingHeader.dataOffset(capacity: capacity), length: capacity)
        // Callers count drops in the header at any time, so it stays mapped.
        header = RingHeader(base: headerMap.leak())
        data = dataMap.base
        self.lock = lock
        self.path = path
        self.run = run
        self.capacity = capacity
        secret = UInt64.random(in: 0 ... .max) & 0xFF_FFFF_FFFF
        header.initialize(
            capacity: capacity, run: run, secret: secret, bootID: Boot.id, encoder: encoder, destination: destination,
            start: start)
        for (slot, name) in sinks.prefix(RingHeader.sinkSlots).enumerated() {
            header.setName(ofSlot: slot, name)
            header.setPosition(ofSlot: slot, start)
        }
    }

    /// Gives the run up for dead: its lock is released.
    func release() {
        guard lock >= 0 else { return }
        taffrail_close_listed(lock)
    }

    /// Makes a ring in memory, which ends with the process.
    static func inMemory(capacity: Int, start: UInt64, sinks: [String] = []) throws(SystemError) -> Ring {
        let fd = taffrail_memory_file()
        guard fd >= 0 else { throw SystemError("memfd_create") }
        defer { close(fd) }
        guard ftruncate(fd, off_t(RingHeader.dataOffset(capacity: capacity) + capacity)) == 0 else {
            throw SystemError("ftruncate")
        }
        return try Ring(
            fd: fd, lock: -1, path: nil, run: .random(), capacity: capacity, start: start, encoder: "", destination: "",
            sinks: sinks)
    }

    /// Makes a ring in a file of its own in `directory`, which exists.
    ///
    /// The file gets its name only when it is allocated, locked and has its header, so that whoever looks for dead
    /// rings never finds one half made.
    static func inFile(
        directory: String, capacity: Int, start: UInt64, encoder: String, destination: String, sinks: [String] = []
    ) throws(SystemError) -> Ring {
        let run = RingID.random()
        let path = directory + "/\(run).ring"
        let temporary = path + ".tmp"
        let (fd, lock) = try createLocked(temporary)
        defer { close(fd) }
        do throws(SystemError) {
            guard taffrail_keeps_mapped_bytes(fd) != 0 else {
                throw SystemError("\(directory) is on a file system where a ring cannot lie", code: ENOTSUP)
            }
            let result = posix_fallocate(fd, 0, off_t(RingHeader.dataOffset(capacity: capacity) + capacity))
            guard result == 0 else { throw SystemError("allocate \(temporary)", code: result) }
            let ring = try Ring(
                fd: fd, lock: lock, path: path, run: run, capacity: capacity, start: start, encoder: encoder,
                destination: destination, sinks: sinks)
            guard rename(temporary, path) == 0 else { throw SystemError("rename \(temporary)") }
            return ring
        } catch {
            Glibc.unlink(temporary)
            taffrail_close_listed(lock)
            throw error
        }
    }

    /// Makes a file, with a second descriptor that holds its lock.
    ///
    /// Whoever finds the file before it is locked takes it for a leftover and removes it; then there is another try.
    private static func createLocked(_ path: String) throws(SystemError) -> (file: CInt, lock: CInt) {
        for _ in 0..<8 {
            let fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard fd >= 0 else { throw SystemError("create \(path)") }
            let lock = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            var info = stat()
            if lock >= 0, taffrail_lock_range(lock, CInt(TAFFRAIL_F_OFD_SETLK), 1, 0, 0) == 0,
                fstat(fd, &info) == 0, info.st_nlink == 1, taffrail_close_in_child(lock) == 0
            {
                return (fd, lock)
            }
            if lock >= 0 { close(lock) }
            close(fd)
            Glibc.unlink(path)
        }
        throw SystemError("lock \(path)", code: EAGAIN)
    }

    /// Removes the file's name; the mapping stays good.
    func unlink() {
        if let path { Glibc.unlink(path) }
    }
}

/// The identity of this boot of the machine.
enum Boot {
    /// The 16 bytes of `/proc/sys/kernel/random/boot_id`; zeros where it cannot be read.
    static let id: [UInt8] = {
        let fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else { return [UInt8](repeating: 0, count: 16) }
        defer { close(fd) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = read(fd, &text, text.count)
        let digits = text.prefix(max(0, count)).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 32 else { return [UInt8](repeating: 0, count: 16) }
        return (0..<16).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
    }()
}
