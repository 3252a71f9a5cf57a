internal import Synchronization

/// The attributes that every record of a pipeline gets, encoded once as the bytes that calls copy.
///
/// Most records carry a number instead (``ContextWord``). The bytes are copied without a lock: a change is written to
/// the inactive copy, and a reader that finds another version after copying tries again. A call therefore never waits
/// for the thread that changes them, which may be slow, or absent in a forked child. Two sets are kept: all attributes,
/// and the set for records whose own attributes make some providers yield (``ContextProvider/yieldsTo``).
struct AmbientContext: @unchecked Sendable {
    /// The limit for all providers together, in encoded bytes.
    static let limit = ContextTable.attributeLimit
    /// The number of attempts before a call logs without ambient attributes: reached only after some hundred
    /// microseconds of continuous changes.
    private static let tries = 10_000
    // The version, which selects the active copy; then the copies: the lengths of both sets, the address of the yield
    // table, and the sets.
    private static let headLength = 64
    private static let setsOffset = 32
    private static let copyLength = setsOffset + 2 * limit

    private let base: UnsafeMutableRawPointer

    /// The choice of one of the two sets.
    enum Part: Int {
        case all
        case unyielding
    }

    /// Creates an empty context that is never freed.
    init() {
        let length = Self.headLength + 2 * Self.copyLength
        base = .allocate(byteCount: length, alignment: 64)
        base.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    }

    private func copy(of version: UInt64) -> UnsafeMutableRawPointer {
        base + Self.headLength + Int(version & 1) * Self.copyLength
    }

    /// Copies the current attributes to `room`, which has ``limit`` bytes, and returns their length.
    @inline(never)
    func copy(_ part: Part = .all, to room: UnsafeMutableRawPointer) -> Int {
        for _ in 0..<Self.tries {
            let version = base.atomic64.pointee.load(ordering: .acquiring)
            let copy = copy(of: version)
            let stored = (copy + 8 * part.rawValue).atomic64.pointee.load(ordering: .relaxed)
            let length = min(Int(truncatingIfNeeded: stored), Self.limit)
            let set = copy + Self.setsOffset + part.rawValue * Self.limit
            for offset in stride(from: 0, to: length, by: 8) {
                let bytes = (set + offset).atomic64.pointee.load(ordering: .relaxed)
                room.storeBytes(of: bytes, toByteOffset: offset, as: UInt64.self)
            }
            atomicMemoryFence(ordering: .acquiring)
            if base.atomic64.pointee.load(ordering: .relaxed) == version { return length }
        }
        return 0
    }

    /// Copies the attributes for a record whose own lie from `own` to `room`; `nil`: it can have their number.
    ///
    /// - Parameters:
    ///   - context: The ``ContextWord`` in effect.
    ///   - mustCopy: Whether the record can have no number.
    @inline(never)
    func copy(
        _ context: UInt64, _ mustCopy: Bool, own: UnsafeMutableRawPointer, to room: UnsafeMutableRawPointer
    ) -> Int? {
        let part = part(for: UnsafeRawBufferPointer(start: own, count: room - own))
        guard mustCopy || part != .all || context & ContextWord.isCopied != 0 else { return nil }
        return copy(part, to: room)
    }

    /// Sets the number of the attributes now in effect in a record whose space has been reserved. If they have no
    /// number, the record gets none.
    @inline(never)
    func renumber(_ record: UnsafeMutableRawPointer, was: UInt64, in control: QueueControl) {
        let fields = RecordFields(record)
        guard was & ContextWord.isResolved == 0, fields.isSiteNumbered else { return }
        let now = control.context.pointee.load(ordering: .acquiring)
        let isNumbered =
            now & ContextWord.isNumbered != 0
            && (now & ContextWord.mayYield == 0 || part(for: fields.attributes) == .all)
        record.storeBytes(
            of: isNumbered ? UInt16(truncatingIfNeeded: now) : 0, toByteOffset: RecordLayout.contextNumber,
            as: UInt16.self)
        let flags = fields.flags & ~RecordLayout.flagContext
        record.storeBytes(
            of: isNumbered ? flags | RecordLayout.flagContext : flags, toByteOffset: RecordLayout.flags, as: UInt8.self)
    }

    /// Replaces the attributes. One caller at a time.
    func replace(_ joined: ContextShares.Joined) { base.atomic64.pointee.store(prepare(joined), ordering: .releasing) }

    /// Writes attributes to the inactive copy and returns the version that activates it.
    func prepare(_ joined: ContextShares.Joined) -> UInt64 {
        let next = base.atomic64.pointee.load(ordering: .relaxed) &+ 1
        // A call that is still copying the bytes overwritten here sees the version that replaced them.
        atomicMemoryFence(ordering: .releasing)
        let copy = copy(of: next)
        for (part, bytes) in [(Part.all, joined.all), (.unyielding, joined.unyielding)] {
            store(bytes, at: copy + Self.setsOffset + part.rawValue * Self.limit)
            (copy + 8 * part.rawValue).atomic64.pointee.store(UInt64(bytes.count), ordering: .relaxed)
        }
        (copy + 16).atomic64.pointee.store(YieldTable.address(of: joined.prefixes), ordering: .releasing)
        return next
    }

    private func store(_ bytes: [UInt8], at set: UnsafeMutableRawPointer) {
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var packed: UInt64 = 0
            for (index, byte) in bytes[offset..<min(offset + 8, bytes.count)].enumerated() {
                packed |= UInt64(byte) << (8 * UInt64(index))
            }
            (set + offset).atomic64.pointee.store(packed, ordering: .relaxed)
        }
    }

    /// Returns the set for a record with these own attributes.
    func part(for own: UnsafeRawBufferPointer) -> Part {
        if own.count == 0 { return .all }
        let address = copy(of: base.atomic64.pointee.load(ordering: .acquiring)) + 16
        let table = PermanentReference<YieldTable>.object(UInt(address.atomic64.pointee.load(ordering: .acquiring)))
        return table?.hasMatch(own) == true ? .unyielding : .all
    }
}

/// How a record gets its ambient attributes: the word that every log call reads, next to the limit of the queue.
///
/// | bits | meaning |
/// |---|---|
/// | 0–15 | the number in the ring's ``ContextTable`` |
/// | 16 | there is one |
/// | 17 | the table is full: the call copies the bytes |
/// | 18 | some providers yield to a record's own attributes |
///
/// 0: no ambient attributes. With bits 16 and 17 the number is the last one before the table was full; only a call that
/// began earlier uses it, because its record has no room for the bytes.
enum ContextWord {
    static let isNumbered: UInt64 = 1 << 16
    static let isCopied: UInt64 = 1 << 17
    static let mayYield: UInt64 = 1 << 18
    /// Set by a call whose record is already complete; never set in the word of the queue.
    static let isResolved: UInt64 = 1 << 63
}
