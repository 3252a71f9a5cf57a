internal import CTaffrail

/// The file of a ring: opened to drain the records of a dead run, or inspected while its run is alive.
///
/// The file is untrusted: it is read with `pread`, never mapped, and each record is checked before use.
package final class RingFile {
    package let path: String
    /// The header, read when the file was opened; deliveries change it and store the changes in the file. Both tables follow it, in the current format.
    package let header: RingHeader
    private let file: FileDescriptor
    private var buffer: UnsafeMutableRawPointer
    private var windowLength = 512 << 10
    /// The offset of the window in the buffer, its ring position, and the length loaded.
    private var windowStart = 0
    private var loadedFrom: UInt64 = 0
    private var loadedLength = 0
    private var window: UnsafeMutableRawPointer { buffer + windowStart }
    private let dataOffset: Int
    private let siteLength: Int
    private var siteEnd = CallSiteTable.unit

    /// The result of opening or inspecting a file.
    package enum Finding {
        /// A ring with a valid header.
        case readable(RingFile)
        /// Its run is alive, or another process is draining it.
        case locked
        /// It has been drained and removed.
        case gone
        /// It must not be touched, with the reason, and whether this user lacks permission to open it.
        case refused(String, isDenied: Bool = false)
    }

    /// - Parameter found: A valid header, which is copied.
    private init(_ file: consuming FileDescriptor, _ found: RingHeader) {
        path = file.path
        self.file = file
        buffer = .allocate(byteCount: windowLength, alignment: 16)
        dataOffset = RingHeader.dataOffset(capacity: found.capacity, version: found.version)
        siteLength = CallSiteTable.length(beside: found.capacity)
        let tables = ContextTable.length + siteLength
        header = RingHeader(base: .allocate(byteCount: RingHeader.length + tables, alignment: 16))
        header.base.copyMemory(from: found.base, byteCount: RingHeader.length)
        header.contextTable.initializeMemory(as: UInt8.self, repeating: 0, count: tables)
    }

    deinit {
        buffer.deallocate()
        header.base.deallocate()
    }

    /// Takes a ring's lock and reads its header. Accepts only a regular file of the current user with a single link.
    static func open(_ path: String) -> Finding { find(path, takesLock: true) }

    /// Reads a ring's header without taking its lock, also while its run is alive or another process drains it.
    /// Nothing may be written to it.
    ///
    /// - Returns: Never `locked`.
    package static func inspect(_ path: String) -> Finding { find(path, takesLock: false) }

    private static func find(_ path: String, takesLock: Bool) -> Finding {
        do throws(SystemError) {
            let file = try FileDescriptor(path, [takesLock ? .readWrite : .read, .ownFile])
            var status = try file.status()
            guard status.isRegular else { return .refused("\(path): not a regular file") }
            if takesLock {
                guard status.owner == ThisProcess.user else { return .refused(refusal(ofOwner: status.owner, path)) }
                guard (try? FileLock.tryAcquire(file, start: 0, length: 0)) == true else { return .locked }
                // The previous holder of the lock may have drained and removed it.
                status = try file.status()
                guard status.links == 1 else {
                    return status.links == 0 ? .gone : .refused("\(path): has several links")
                }
            }
            return read(file, length: Int(status.size))
        } catch {
            // A missing file has been drained.
            return error.code == Errno.missing
                ? .gone : .refused(refusal(after: error, path), isDenied: error.isDenied)
        }
    }

    private static func read(_ file: consuming FileDescriptor, length: Int) -> Finding {
        let header = RingHeader(base: .allocate(byteCount: RingHeader.length, alignment: 16))
        defer { header.base.deallocate() }
        let bytes = UnsafeMutableRawBufferPointer(start: header.base, count: RingHeader.length)
        guard (try? file.read(into: bytes, at: 0)) == RingHeader.length else {
            return .refused("\(file.path): not a ring (shorter than its header)")
        }
        if let problem = header.problem(fileLength: length) { return .refused("\(file.path): \(problem)") }
        return .readable(RingFile(file, header))
    }

    /// Returns why a ring of another user is left alone, and who recovers it.
    private static func refusal(ofOwner owner: UInt32, _ path: String) -> String {
        let user = owner == 0 ? "root" : "user \(owner)"
        let command = Recovery.command(forRing: path)
        return "\(path): belongs to another user. To write the records, run \"\(command)\" as \(user)"
    }

    /// Returns why a ring cannot be opened.
    private static func refusal(after error: SystemError, _ path: String) -> String {
        guard error.isDenied, let owner = (try? FileStatus.of(path))?.owner, owner != ThisProcess.user else {
            return "\(error)"
        }
        return refusal(ofOwner: owner, path)
    }

    /// Returns bytes of the file; fewer, or none, where it is shorter or cannot be read.
    func bytes(_ count: Int, at offset: Int) -> [UInt8] { (try? file.read(count, at: Int64(offset))) ?? [] }

    /// Whether its run is alive, or another process is draining it.
    package var isLocked: Bool { taffrail_is_locked(file.number, 0, 0) == 1 }

    /// Returns the stored position of a sink: the slot's word, as in a live ring.
    func checkpoint(slot: Int) -> SinkCheckpoint {
        let number = file.number
        return SinkCheckpoint(ringPath: path, run: header.run, slot: slot) { position in
            FileDescriptor.store(position, in: number, at: RingHeader.offset(ofSlot: slot))
        }
    }

    /// Returns the pages without records to a disk that has less free space than the ring occupies: the lines of the
    /// records need space before the ring is removed, and such rings alone may have filled the disk.
    ///
    /// - Returns: Whether the disk is that full.
    @discardableResult func releaseFreePages() -> Bool {
        let end = Int64(dataOffset + header.capacity)
        guard let available = Directory.freeSpace(at: path), available < end else { return false }
        taffrail_release_zeros(file.number, Int64(dataOffset), end)
        return true
    }

    /// The directory that contains it.
    package var directory: String { Directory.parent(of: path) ?? "/" }

    /// Writes a word of the header to the file, so that a change of it survives a killed recovery.
    func saveHeader(at offset: Int) -> Bool {
        let bytes = UnsafeRawBufferPointer(start: header.base + offset, count: 8)
        return file.write(all: bytes, at: Int64(offset)).code == 0
    }

    /// The position that no record can exceed.
    var limit: UInt64 { header.head &+ UInt64(header.capacity) }

    /// The number of damaged records so far: valid by their first word, but not by their checksum.
    package private(set) var damaged = 0
    private var damagedLength = 0
    /// The number of records so far whose source location is lost because the entry of their call site is damaged, and
    /// of those whose ambient attributes are.
    private(set) var withoutSource = 0
    private(set) var withoutContext = 0
    private var resolvedUpTo: UInt64 = 0

    /// The losses of records by damaged tables, one line for each table. While the run is alive, missing ambient
    /// attributes only mean that their records have been written in the meantime.
    package var tableProblems: [String] {
        [
            (withoutSource, "source location", "source locations"),
            (isLocked ? 0 : withoutContext, "ambient attributes", "ambient attributes"),
        ].filter { $0.0 > 0 }.map { count, one, other in
            "\(path): \(CountText.text(count, "record has lost its \(one)", "records have lost their \(other)"))"
        }
    }

    /// Returns the first contiguous records at or after `position`, in memory that is valid until the next call. Those
    /// without a sequence number are numbered from `sequence`.
    ///
    /// - Returns: `nil` when there are no more records.
    package func next(from position: UInt64, sequence: inout UInt64) throws(SystemError) -> RecordBatch? {
        var searched = position
        var needed = RecordLayout.smallest
        while searched < limit {
            let loaded = try load(from: searched, atLeast: needed)
            needed = RecordLayout.smallest
            var offset = 0
            while offset + RecordLayout.smallest <= loaded {
                let start = searched &+ UInt64(offset)
                if let length = length(at: offset, position: start), start &+ UInt64(length) <= limit {
                    guard offset + length <= loaded else {
                        needed = length
                        break
                    }
                    if let found = stretch(at: offset, loaded: loaded, start: start, sequence: &sequence) {
                        return found
                    }
                    damaged += 1
                    damagedLength += length
                    // Records do not overlap: a file with more of them was crafted to waste time.
                    guard damagedLength <= header.capacity else {
                        throw SystemError("read \(path): more damaged records than it can have", code: Errno.damaged)
                    }
                }
                offset += RecordLayout.unit
            }
            guard offset > 0 || needed > RecordLayout.smallest else { return nil }
            searched &+= UInt64(offset)
        }
        return nil
    }

    private func length(at offset: Int, position: UInt64) -> Int? {
        let word = (window + offset).load(as: UInt64.self)
        return RecordLayout.length(commitWord: word, position: position, secret: header.secret)
    }

    /// Returns the contiguous records from `offset` that are completely in the window.
    private func stretch(at offset: Int, loaded: Int, start: UInt64, sequence: inout UInt64) -> RecordBatch? {
        var end = offset
        var count = 0
        while end + RecordLayout.smallest <= loaded,
            let length = length(at: end, position: start &+ UInt64(end - offset)),
            end + length <= loaded
        {
            let record = window + end
            guard RecordLayout.isIntact(record, length: length) else { break }
            countUnresolved(RecordFields(record), at: start &+ UInt64(end - offset))
            let number = RecordFields(record).sequence
            if number == 0 { record.storeBytes(of: sequence, toByteOffset: RecordLayout.sequence, as: UInt64.self) }
            sequence = (number == 0 ? sequence : number) &+ 1
            end += length
            count += 1
        }
        guard count > 0 else { return nil }
        return RecordBatch(
            base: window + offset, length: end - offset, run: header.run, count: count, start: start, checkpoint: nil,
            tables: tables)
    }

    /// Counts a record whose number refers to nothing, once.
    private func countUnresolved(_ fields: RecordFields, at position: UInt64) {
        guard position >= resolvedUpTo else { return }
        resolvedUpTo = position &+ 1
        if fields.isSiteNumbered && fields.source(in: tables).fileLength == 0 { withoutSource += 1 }
        if fields.isContextNumbered && fields.context(in: tables).count == 0 { withoutContext += 1 }
    }

    /// Moves the start of the window to a position, with at least `needed` bytes, and returns the length loaded.
    private func load(from position: UInt64, atLeast needed: Int) throws(SystemError) -> Int {
        // Reuse what has been loaded: a ring with many damaged records is read in many short stretches.
        if position >= loadedFrom, position &- loadedFrom < UInt64(loadedLength) {
            let skipped = Int(position &- loadedFrom)
            if loadedLength - skipped >= min(needed, Int(limit &- position)) {
                windowStart += skipped
                loadedFrom = position
                loadedLength -= skipped
                return loadedLength
            }
        }
        if needed > windowLength {
            buffer.deallocate()
            windowLength = (needed + 4095) & ~4095
            buffer = .allocate(byteCount: windowLength, alignment: 16)
        }
        windowStart = 0
        loadedFrom = position
        loadedLength = 0
        let wanted = Int(min(UInt64(windowLength), limit &- position))
        var done = 0
        while done < wanted {
            let at = Int(truncatingIfNeeded: position &+ UInt64(done)) & (header.capacity - 1)
            let count = min(wanted - done, header.capacity - at)
            try read(count, at: dataOffset + at, to: buffer + done)
            done += count
        }
        try loadTables()
        loadedLength = done
        return done
    }

    /// Reads a required part of the file.
    private func read(_ count: Int, at offset: Int, to room: UnsafeMutableRawPointer) throws(SystemError) {
        let done = try file.read(into: UnsafeMutableRawBufferPointer(start: room, count: count), at: Int64(offset))
        guard done == count else { throw SystemError("read \(path)", code: Errno.inputOutput) }
    }

    /// The tables that the numbers in the loaded records refer to. Numbers of damaged entries, and of call sites after
    /// one, refer to nothing.
    var tables: RingTables { RingTables(header.contextTable, siteLength: siteLength) }

    /// Reads the ambient attributes, and the call sites that have not been read yet. This comes after the records,
    /// because a live run adds entries before it uses them. It reuses a slot of ambient attributes only when all
    /// records that refer to it have been written.
    private func loadTables() throws(SystemError) {
        if header.version >= 3 {
            try read(ContextTable.length, at: RingHeader.length, to: header.contextTable)
            ContextTable.removeDamaged(from: header.contextTable)
        }
        let siteBytes = header.siteTable
        let unread = RingHeader.siteOffset(version: header.version) + siteEnd
        try read(dataOffset - unread, at: unread, to: siteBytes + siteEnd)
        siteEnd = tables.sites.soundEnd(from: siteEnd)
        (siteBytes + siteEnd).initializeMemory(as: UInt8.self, repeating: 0, count: siteLength - siteEnd)
    }
}
