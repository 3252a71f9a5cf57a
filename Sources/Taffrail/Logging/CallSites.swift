internal import Synchronization

/// The source location of a log call: constants, in three words.
@usableFromInline
struct CallSite {
    @usableFromInline
    let file: UnsafePointer<UInt8>?
    @usableFromInline
    let function: UnsafePointer<UInt8>?
    /// The lengths of the file name and the function name, 16 bits each, and the line, 32 bits.
    @usableFromInline
    let numbers: UInt64

    @inlinable
    @inline(__always)
    init(_ file: StaticString, _ function: StaticString, _ line: UInt) {
        self.file = file.hasPointerRepresentation ? file.utf8Start : nil
        self.function = function.hasPointerRepresentation ? function.utf8Start : nil
        numbers =
            UInt64(truncatingIfNeeded: file.shortLength) | UInt64(truncatingIfNeeded: function.shortLength) &<< 16
            | UInt64(UInt32(truncatingIfNeeded: line)) &<< 32
    }

    var fileLength: Int { @inline(__always) get { Int(UInt16(truncatingIfNeeded: numbers)) } }
    var functionLength: Int { @inline(__always) get { Int(UInt16(truncatingIfNeeded: numbers &>> 16)) } }
    var line: UInt32 { @inline(__always) get { UInt32(truncatingIfNeeded: numbers &>> 32) } }
}

extension StaticString {
    /// The length of a constant as stored in a record: at most 65,535 bytes, 0 for a single scalar.
    @inlinable
    var shortLength: Int {
        @inline(__always) get {
            hasPointerRepresentation && utf8CodeUnitCount <= 65_535 ? utf8CodeUnitCount : 0
        }
    }
}

/// The numbers that a queue's rings use for the names of files and functions; see ``CallSiteTable``.
///
/// A call site is identified by the addresses of its names, which are constants, and gets its number with its first
/// record. Numbers never change: each new ring of the queue starts with all existing entries. A site that does not fit
/// into the table has no number, and its records contain the names.
struct CallSites: @unchecked Sendable {
    private static let slotCount = 512
    private static let slotSize = 32
    /// The maximum number of slots that a site may probe.
    private static let reach = 8
    private static let slotsOffset = 64
    private static let tableOffset = slotsOffset + slotCount * slotSize

    private let control: QueueControl
    private let tableLength: Int
    /// The bytes of the table in use, the hash slots, and the table as rings get it. All of it changes under the
    /// lock.
    private let base: UnsafeMutableRawPointer

    /// Creates an empty index that is never freed.
    ///
    /// - Parameter tableLength: The length of the rings' tables.
    init(_ control: QueueControl, tableLength: Int) {
        self.control = control
        self.tableLength = tableLength
        base = MemoryMap.permanent(Self.tableOffset + tableLength)
        end.pointee.store(UInt64(CallSiteTable.unit), ordering: .relaxed)
    }

    /// Returns the number of a call site; 0 when it has none.
    @inline(__always)
    func number(of site: CallSite) -> UInt16 {
        let found = number(of: site, at: slot(Self.hash(site)))
        return _fastPath(found != 0) ? found : numberSlowly(of: site)
    }

    /// Copies all existing entries into a ring that no thread writes to yet.
    func copy(to header: RingHeader) {
        control.siteLock.withLock {
            header.siteTable.copyMemory(
                from: base + Self.tableOffset, byteCount: Int(end.pointee.load(ordering: .acquiring)))
        }
    }

    @inline(never)
    private func numberSlowly(of site: CallSite) -> UInt16 {
        guard site.fileLength > 0, site.function != nil, let slot = slot(for: site) else { return 0 }
        let known = number(of: site, at: slot)
        let size = CallSiteTable.size(fileLength: site.fileLength, functionLength: site.functionLength)
        let hasRoom = { Int(end.pointee.load(ordering: .acquiring)) + size <= tableLength }
        guard known == 0, hasRoom() else { return known }
        return control.siteLock.withLock {
            // Another thread may have added it, or another site there, first.
            guard let slot = self.slot(for: site) else { return 0 }
            let known = number(of: site, at: slot)
            return known == 0 && hasRoom() ? add(site, at: slot, size: size) : known
        }
    }

    /// Adds a site. A kill or fork during this leaves an entry that nothing refers to.
    private func add(_ site: CallSite, at slot: UnsafeMutableRawPointer, size: Int) -> UInt16 {
        let offset = Int(end.pointee.load(ordering: .relaxed))
        let entry = base + Self.tableOffset + offset
        CallSiteTable.write(
            file: UnsafeRawBufferPointer(start: site.file, count: site.fileLength),
            function: UnsafeRawBufferPointer(start: site.function, count: site.functionLength), to: entry)
        if let header = control.header { (header.siteTable + offset).copyMemory(from: entry, byteCount: size) }
        end.pointee.store(UInt64(offset + size), ordering: .releasing)
        let number = UInt16(truncatingIfNeeded: offset / CallSiteTable.unit)
        let lengths = UInt64(UInt32(truncatingIfNeeded: site.numbers))
        (slot + 8).atomic64.pointee.store(Self.bits(site.file), ordering: .relaxed)
        (slot + 16).atomic64.pointee.store(lengths | UInt64(number) << 32, ordering: .relaxed)
        slot.atomic64.pointee.store(Self.bits(site.function), ordering: .releasing)
        return number
    }

    /// Returns the number that a slot has for a call site; 0 when it is empty or belongs to another site.
    @inline(__always)
    private func number(of site: CallSite, at slot: UnsafeMutableRawPointer) -> UInt16 {
        // A used slot never changes, so the address, stored last, vouches for the rest.
        let function = slot.atomic64.pointee.load(ordering: .acquiring)
        let file = (slot + 8).atomic64.pointee.load(ordering: .relaxed)
        let numbers = (slot + 16).atomic64.pointee.load(ordering: .relaxed)
        let isOther =
            (function ^ Self.bits(site.function)) | (file ^ Self.bits(site.file))
            | UInt64(UInt32(truncatingIfNeeded: numbers ^ site.numbers))
        return isOther == 0 ? UInt16(truncatingIfNeeded: numbers &>> 32) : 0
    }

    /// The offset in the table of the next entry.
    private var end: UnsafeMutablePointer<Atomic<UInt64>> { base.atomic64 }

    // MARK: Slots

    /// Returns the slot of a call site, or the empty one that it would get; `nil` if it would get none.
    private func slot(for site: CallSite) -> UnsafeMutableRawPointer? {
        let first = Self.hash(site)
        for step in 0..<Self.reach {
            let slot = slot((first + step) % Self.slotCount)
            if slot.atomic64.pointee.load(ordering: .relaxed) == 0 || number(of: site, at: slot) != 0 { return slot }
        }
        return nil
    }

    @inline(__always)
    private func slot(_ index: Int) -> UnsafeMutableRawPointer {
        base + (Self.slotsOffset &+ index &* Self.slotSize)
    }

    @inline(__always)
    private static func bits(_ name: UnsafePointer<UInt8>?) -> UInt64 { UInt64(UInt(bitPattern: name)) }

    @inline(__always)
    private static func hash(_ site: CallSite) -> Int {
        let sum = bits(site.function) &+ bits(site.file) &* 3
        return Int(truncatingIfNeeded: (sum &* 0x9E37_79B9_7F4A_7C15) &>> 55)
    }
}
