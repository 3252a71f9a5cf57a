internal import CTaffrail

/// The mapped ring of one run: the header, the tables, the data mapped twice in a row, and the lock that marks the run
/// as alive.
final class Ring: @unchecked Sendable {
    let run: RingID
    let header: RingHeader
    let data: UnsafeMutableRawPointer
    /// The tables that the numbers in the records refer to.
    var tables: RingTables {
        RingTables(header.contextTable, siteLength: CallSiteTable.length(beside: capacity))
    }
    let capacity: Int
    let secret: UInt64
    /// The file's path; `nil` for a ring in memory.
    let path: String?

    private let dataMap: MemoryMap
    private let lock: CInt

    /// Maps and initializes a new ring.
    ///
    /// - Parameter start: The first position: far enough from every earlier ring of this process that no position repeats.
    @inline(never)
    private init(
        fd: CInt, lock: CInt, path: String?, run: RingID, capacity: Int, start: UInt64, encoder: String,
        destination: String, sinks: [String]
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
            capacity: capacity, run: run, secret: secret, encoder: encoder, destination: destination, start: start)
        for (slot, name) in sinks.prefix(RingHeader.sinkSlots).enumerated() {
            header.setName(ofSlot: slot, name)
            header.setPosition(ofSlot: slot, start)
        }
    }

    /// Releases the lock, so that the run counts as dead.
    func release() {
        if lock >= 0 { taffrail_close_listed(lock) }
    }

    /// Creates a ring in memory, which ends with the process.
    static func inMemory(capacity: Int, start: UInt64, sinks: [String] = []) throws(SystemError) -> Ring {
        let file = try FileDescriptor(inMemory: "a queue in memory")
        try file.truncate(to: Int64(RingHeader.dataOffset(capacity: capacity) + capacity))
        return try Ring(
            fd: file.number, lock: -1, path: nil, run: .random(), capacity: capacity, start: start, encoder: "",
            destination: "", sinks: sinks)
    }

    /// Creates a ring in its own file in `directory`, which exists.
    ///
    /// The file gets its name only once it is allocated, locked and has its header, so that a search for dead rings
    /// never finds an incomplete one.
    static func inFile(
        directory: String, capacity: Int, start: UInt64, encoder: String, destination: String, sinks: [String] = []
    ) throws(SystemError) -> Ring {
        let run = RingID.random()
        let path = directory + "/\(run).ring"
        let temporary = path + ".tmp"
        let (fd, lock) = try FileLock.createLocked(temporary)
        let file = FileDescriptor(fd, path: temporary)
        do throws(SystemError) {
            guard file.keepsMappedBytes else {
                throw SystemError(
                    "\(directory) is on a file system that does not support rings", code: Errno.unsupported)
            }
            try file.allocate(RingHeader.dataOffset(capacity: capacity) + capacity)
            let ring = try Ring(
                fd: fd, lock: lock, path: path, run: run, capacity: capacity, start: start, encoder: encoder,
                destination: destination, sinks: sinks)
            try FileName.rename(temporary, to: path)
            return ring
        } catch {
            try? FileName.remove(temporary)
            taffrail_close_listed(lock)
            throw error
        }
    }

    /// Removes the file's name, and frees the space of its records, all of which have been freed: the header, which
    /// stays mapped, would keep the whole file. The mappings remain valid.
    func unlink() {
        if let path { try? FileName.remove(path) }
        MemoryMap.discard(data, capacity)
    }
}
