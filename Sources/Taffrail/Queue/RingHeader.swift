internal import Synchronization

/// The first 4096 bytes of a ring's file.
///
/// | offset | field |
/// |---|---|
/// | 0 | magic `TAFRING1`, version u32, offset of the records in the file u32 (in format 2: 4096, the header's length) |
/// | 16 | capacity u64, run u64, secret u64 |
/// | 40 | start of the run, nanoseconds since 1970 |
/// | 48 | process id u32 (informational; only the lock shows whether the run is alive); 52 flags u8: 1 = has processors or guards for all records, 2 = the log's sink has a filter, 4 = a sink has lost writes, 8 = only guards, 16 = such a sink has been closed; 53 slot of the log's sink u8, from 1; 54 number of levels, from the lowest, that a full queue drops as configured u8 |
/// | 56 | boot id, 16 bytes |
/// | 72 | encoder, 24 bytes, zero-padded |
/// | 96 | positions: head u64, tail as the writer last saw it u64; 112 next sequence number u64; 120 records dropped by processors u64 |
/// | 128 | records dropped by level, 7 × u64; 192 the same, as far as reported in the log |
/// | 248 | the position up to which records dropped by processors have been counted u64 |
/// | 256 | base name of the destination, 256 bytes, zero-padded |
/// | 512 | records dropped by reason and level: 4 × 64 bytes, each as at 128 |
/// | 768 | records withheld from each sink by its filter, 16 × u64 |
/// | 896 | name of the program, 64 bytes, name of the host, 64 bytes, zero-padded |
/// | 1024 | records written by each sink, 16 × u64 |
/// | 1152 | the format of the log's lines: 1 = UTC u8, precision u8, pattern, 894 bytes, zero-padded |
/// | 2048 | 16 sinks of 128 bytes: position u64, records lost u64, name (104 bytes, zero-padded), destination u64: ``SinkNames/destinationID(of:)`` |
///
/// Format 2 has zeros from 768 to 1024, and sink names of up to 112 bytes instead of destinations.
package struct RingHeader: @unchecked Sendable {
    package static let length = RingTables.headerLength
    static let magic: UInt64 = 0x3147_4E49_5246_4154  // "TAFRING1"
    /// The version that is written.
    static let version: UInt32 = 3
    /// The oldest version that is read.
    static let oldestVersion: UInt32 = 2
    /// Returns the file offset of the records, given their capacity: the header is followed by a ``ContextTable`` (not
    /// in format 2) and a ``CallSiteTable``.
    static func dataOffset(capacity: Int, version: UInt32 = version) -> Int {
        siteOffset(version: version) + CallSiteTable.length(beside: capacity)
    }
    /// Returns the file offset of the ``CallSiteTable``.
    static func siteOffset(version: UInt32 = version) -> Int { length + (version < 3 ? 0 : ContextTable.length) }
    package static let sinkSlots = 16
    static let nameLength = 104
    // The offsets of fields that are written one by one, and the room for texts.
    /// The word that has the flags.
    static let flagsOffset = 48
    static let logSlotOffset = 53
    static let encoderOffset = 72
    static let encoderLength = 24
    static let filteredOffset = 120
    static let filteredUpToOffset = 248
    static let destinationOffset = 256
    static let destinationLength = 256

    let base: UnsafeMutableRawPointer

    package init(base: UnsafeMutableRawPointer) { self.base = base }

    @inline(__always)
    private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (base + offset).atomic64
    }

    private func load(_ offset: Int) -> UInt64 { word(offset).pointee.load(ordering: .relaxed) }
    private func store(_ offset: Int, _ value: UInt64) { word(offset).pointee.store(value, ordering: .releasing) }

    var version: UInt32 { base.load(fromByteOffset: 8, as: UInt32.self) }
    package var capacity: Int { Int(truncatingIfNeeded: load(16)) }
    package var run: RingID { RingID(load(24)) }
    var secret: UInt64 { load(32) }
    package var startedAt: Timestamp { Timestamp(nanoseconds: Int64(bitPattern: load(40))) }
    /// Returns the start time of the run of a ring's file, in nanoseconds since 1970; 0 if it cannot be read.
    package static func start(of path: String) -> Int64 {
        guard let file = try? FileDescriptor(path, [.read, .ownFile]),
            let bytes = try? file.read(8, at: 40), bytes.count == 8
        else { return 0 }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
    }
    package var processID: Int32 { base.load(fromByteOffset: RingTables.processID, as: Int32.self) }
    /// The tables of ambient attributes and of call sites in a mapped ring of the current format.
    var contextTable: UnsafeMutableRawPointer { base + Self.length }
    var siteTable: UnsafeMutableRawPointer { base + Self.siteOffset() }
    var program: String { text(RingTables.program, RingTables.nameLength) }
    /// Whether a program of the same name created the ring, or the name is unknown.
    var isOfThisProgram: Bool {
        let program = program
        return program.isEmpty || program == Self.storedName(Environment.program, limit: RingTables.nameLength)
    }
    package var encoder: String { text(Self.encoderOffset, Self.encoderLength) }
    package var destination: String { text(Self.destinationOffset, Self.destinationLength) }

    package var head: UInt64 {
        get { load(96) }
        nonmutating set { store(96, newValue) }
    }
    package var tail: UInt64 {
        get { load(104) }
        nonmutating set { store(104, newValue) }
    }
    package var nextSequence: UInt64 {
        get { load(112) }
        nonmutating set { store(112, newValue) }
    }

    /// The number of records dropped by processors.
    package var filtered: UInt64 { load(Self.filteredOffset) }
    /// Counts records that processors dropped; all of those before `position` have then been counted.
    func countFiltered(_ count: UInt64, upTo position: UInt64) {
        word(Self.filteredOffset).pointee.wrappingAdd(count, ordering: .relaxed)
        filteredUpTo = position
    }
    /// The position up to which they have been counted. New processors count again from an earlier one.
    var filteredUpTo: UInt64 {
        get { load(Self.filteredUpToOffset) }
        nonmutating set { store(Self.filteredUpToOffset, newValue) }
    }

    /// Whether the ring may contain records that a processor would remove, which only the configuration knows.
    package var hasProcessors: Bool { flags & 1 != 0 }
    /// Whether these are only the guards of a configuration.
    var hasOnlyGuards: Bool { flags & 9 == 9 }
    func setHasProcessors(onlyGuards: Bool = false) {
        if !onlyGuards { flags = flags & ~8 | 1 } else if flags & 1 == 0 { flags |= 9 }
    }
    /// Whether the log's sink has a filter, which only the configuration knows.
    package var hasFilteredLog: Bool { flags & 2 != 0 }
    func setHasFilteredLog() { flags |= 2 }
    /// Whether the system has failed to write a sink's data to the disk. The ring no longer has these records.
    var hasLostWrites: Bool { flags & 4 != 0 }
    func setHasLostWrites() { flags |= 4 }
    /// Whether such a sink was closed, so that nothing shows any longer whether its data are replaced or deleted.
    var hasClosedLostSink: Bool { flags & 16 != 0 }
    func setHasClosedLostSink() { flags |= 4 | 16 }
    private var flags: UInt8 {
        get { base.load(fromByteOffset: 52, as: UInt8.self) }
        nonmutating set { base.storeBytes(of: newValue, toByteOffset: 52, as: UInt8.self) }
    }

    /// The slot of the sink that writes the log; `nil` if unknown.
    var logSlot: Int? {
        let slot = Int(base.load(fromByteOffset: Self.logSlotOffset, as: UInt8.self)) - 1
        return (0..<Self.sinkSlots).contains(slot) ? slot : nil
    }
    /// The name of the sink that writes the log; empty if unknown.
    package var logSink: String { logSlot.map { name(ofSlot: $0) } ?? "" }

    /// Writes the constant fields, the magic last.
    func initialize(
        capacity: Int, run: RingID, secret: UInt64, encoder: String, destination: String, start: UInt64
    ) {
        store(16, UInt64(capacity))
        store(24, run.value)
        store(32, secret)
        store(40, UInt64(bitPattern: Timestamp.now.nanoseconds))
        base.storeBytes(of: ThisProcess.id, toByteOffset: RingTables.processID, as: Int32.self)
        store(56, BootID.current.high)
        store(64, BootID.current.low)
        setText(Self.encoderOffset, Self.encoderLength, encoder)
        setText(Self.destinationOffset, Self.destinationLength, destination)
        setText(RingTables.program, RingTables.nameLength, Environment.program)
        setText(RingTables.host, RingTables.nameLength, Environment.host)
        head = start
        tail = start
        nextSequence = 1
        base.storeBytes(of: Self.version, toByteOffset: 8, as: UInt32.self)
        base.storeBytes(
            of: UInt32(truncatingIfNeeded: Self.dataOffset(capacity: capacity)), toByteOffset: 12, as: UInt32.self)
        store(0, Self.magic)
    }

    /// Returns the problem with the header of a file of `fileLength` bytes, or `nil`.
    package func problem(fileLength: Int) -> String? {
        guard load(0) == Self.magic else { return "not a ring (no magic)" }
        let version = version
        guard (Self.oldestVersion...Self.version).contains(version) else {
            return "ring format \(version); this program reads formats \(Self.oldestVersion) to \(Self.version)"
        }
        let capacity = load(16)
        guard capacity >= 4096, capacity <= 1 << 30, capacity & (capacity - 1) == 0 else {
            return "capacity \(capacity) is not a power of two from 4096 to 2^30"
        }
        guard fileLength == Self.dataOffset(capacity: Int(capacity), version: version) + Int(capacity) else {
            return "length \(fileLength) does not match the capacity"
        }
        guard head & 15 == 0, head < QueueControl.closedTail else { return "head \(head) is not a position" }
        return nil
    }

    // MARK: Drops

    package func dropped(_ level: Level) -> UInt64 { load(128 + 8 * Int(level.rawValue)) }
    func reportedDrops(_ level: Level) -> UInt64 { load(192 + 8 * Int(level.rawValue)) }
    /// The number of drops that have not been reported.
    var unreportedDrops: UInt64 {
        Level.allCases.reduce(UInt64(0)) { $0 &+ dropped($1) &- reportedDrops($1) }
    }
    func setReportedDrops(_ level: Level, _ count: UInt64) { store(192 + 8 * Int(level.rawValue), count) }
    package func dropped(_ level: Level, for reason: DropReason) -> UInt64 { load(Self.offset(level, reason)) }
    /// Counts dropped records by a reason of callers.
    func countDrop(_ level: Level, for reason: DropReason, _ count: UInt64 = 1) {
        word(Self.offset(level, reason)).pointee.wrappingAdd(count, ordering: .relaxed)
        word(128 + 8 * Int(level.rawValue)).pointee.wrappingAdd(count, ordering: .relaxed)
    }
    /// Returns why records of a level were dropped that are counted under a reason of callers.
    package func reason(_ counted: DropReason, of level: Level) -> DropReason {
        counted == .full && level.rawValue < base.load(fromByteOffset: 54, as: UInt8.self) ? .shed : counted
    }
    /// Stores which levels a full queue drops as configured; the same ones during the whole run.
    func setDrops(_ whenFull: QueueOptions.WhenFull) {
        base.storeBytes(of: whenFull.droppedLevels, toByteOffset: 54, as: UInt8.self)
    }
    private static func offset(_ level: Level, _ reason: DropReason) -> Int {
        512 + 64 * reason.column + 8 * Int(level.rawValue)
    }

    // MARK: Sinks

    /// Returns the file offset of the position of a sink.
    static func offset(ofSlot slot: Int) -> Int { 2048 + 128 * slot }
    static func lostOffset(ofSlot slot: Int) -> Int { offset(ofSlot: slot) + 8 }
    static func writtenOffset(ofSlot slot: Int) -> Int { 1024 + 8 * slot }
    static func filteredOffset(ofSlot slot: Int) -> Int { 768 + 8 * slot }

    package func position(ofSlot slot: Int) -> UInt64 { load(Self.offset(ofSlot: slot)) }
    func setPosition(ofSlot slot: Int, _ position: UInt64) { store(Self.offset(ofSlot: slot), position) }
    package func lost(inSlot slot: Int) -> UInt64 { load(Self.lostOffset(ofSlot: slot)) }
    func countLost(_ count: UInt64, inSlot slot: Int) {
        word(Self.lostOffset(ofSlot: slot)).pointee.wrappingAdd(count, ordering: .relaxed)
    }
    package func written(inSlot slot: Int) -> UInt64 { load(Self.writtenOffset(ofSlot: slot)) }
    func countWritten(_ count: UInt64, inSlot slot: Int) {
        word(Self.writtenOffset(ofSlot: slot)).pointee.wrappingAdd(count, ordering: .relaxed)
    }
    package func name(ofSlot slot: Int) -> String {
        version >= 3
            ? text(Self.offset(ofSlot: slot) + 16, Self.nameLength)
            : Self.storedName(text(Self.offset(ofSlot: slot) + 16, 112), limit: Self.nameLength)
    }
    func setName(ofSlot slot: Int, _ name: String) { setText(Self.offset(ofSlot: slot) + 16, Self.nameLength, name) }

    func hasSink(inSlot slot: Int) -> Bool { destinationID(ofSlot: slot) != 0 || !name(ofSlot: slot).isEmpty }

    /// Returns the number of records withheld by a sink's own filter.
    package func filtered(inSlot slot: Int) -> UInt64 { load(Self.filteredOffset(ofSlot: slot)) }
    func countFiltered(_ count: UInt64, inSlot slot: Int) {
        word(Self.filteredOffset(ofSlot: slot)).pointee.wrappingAdd(count, ordering: .relaxed)
    }
    /// Sets the counts of a slot that gets another sink, before its name, so that no reader takes the last
    /// sink's counts for its own.
    func setCounts(ofSlot slot: Int, lost: UInt64, written: UInt64, filtered: UInt64) {
        store(Self.lostOffset(ofSlot: slot), lost)
        store(Self.writtenOffset(ofSlot: slot), written)
        store(Self.filteredOffset(ofSlot: slot), filtered)
    }
    /// Returns the destination of a sink: ``SinkNames/destinationID(of:)``; 0 if unknown.
    func destinationID(ofSlot slot: Int) -> UInt64 { version >= 3 ? load(Self.offset(ofSlot: slot) + 120) : 0 }

    /// Assigns a slot to a sink.
    func setSink(_ slot: Int, name: String, destination: UInt64) {
        // The destination first: it identifies the sink even while the name is being replaced.
        store(Self.offset(ofSlot: slot) + 120, destination)
        setName(ofSlot: slot, name)
    }

    /// Returns a name as stored in the header: at most `limit` bytes; a longer name ends with its checksum.
    static func storedName(_ name: String, limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        var text = name
        return text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            let start = String(decoding: bytes.prefix(UTF8Text.boundary(in: bytes, atMost: limit - 9)), as: UTF8.self)
            return start + "~" + String(Checksum.crc32c(bytes), radix: 16)
        }
    }

    /// Returns the base name of a log as stored in the header.
    static func storedDestination(_ base: String) -> String { storedName(base, limit: destinationLength) }

    private func text(_ offset: Int, _ room: Int) -> String {
        let bytes = UnsafeRawBufferPointer(start: base + offset, count: room)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Replaces a string. A process killed during this leaves the old one, none, or the new one.
    func setText(_ offset: Int, _ room: Int, _ text: String) {
        var stored = RingHeader.storedName(text, limit: room)
        guard stored != self.text(offset, room) else { return }
        var bytes = [UInt8](repeating: 0, count: room)
        stored.withUTF8 { bytes.replaceSubrange(0..<min(room, $0.count), with: $0.prefix(room)) }
        let first = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        word(offset).pointee.store(0, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        bytes.withUnsafeBytes {
            (base + offset + 8).copyMemory(from: $0.baseAddress.unsafelyUnwrapped + 8, byteCount: room - 8)
        }
        word(offset).pointee.store(first, ordering: .releasing)
    }
}
