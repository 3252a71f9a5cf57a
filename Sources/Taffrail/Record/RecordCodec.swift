/// How a record lies in the ring. Everything is little-endian; a record starts at a multiple of 16.
///
/// | offset | field |
/// |---|---|
/// | 0 | commit word: stamp (40 bits) and length in units of 16 bytes (24 bits); 0 until the record is complete |
/// | 8 | sequence number, given by the writer; 0 until then, and not covered by the checksum |
/// | 16 | two CRC32C lanes over everything from offset 32, seeded with the timestamp |
/// | 24 | timestamp, nanoseconds since 1970 |
/// | 32 | message length u32, attributes length u32 |
/// | 40 | context, logger, file, function lengths u16 |
/// | 48 | line u32, level u8, flags u8, event name length u16 |
/// | 56 | payload: message, attributes, context, logger, file, function, event name, then as flagged: kernel's thread id u32, trace (16 + 8 bytes), trace flags u8 |
///
/// A record that is flagged so has no names of file and function, but at 44 their number in the ``CallSiteTable``; it may
/// then have, as flagged, at 46 the number of its ambient attributes in the ``ContextTable``, after its own ones.
/// Records of ring format 2 have none of the flags from 8 on.
///
/// The stamp is the low 40 bits of the position in units of 16, XORed with the ring's secret: what an old lap left
/// and what users write never looks like a record.
enum RecordCodec {
    static let headerSize = 56
    /// Where the checksum starts.
    static let checkedFrom = 32
    static let unit = 16
    /// The length of the shortest record.
    static let smallest = 64
    static let alignment = 16
    /// The longest text of one kind that a 16-bit length can hold.
    static let shortLimit = 65_535

    static let flagTrace: UInt8 = 1
    static let flagTruncated: UInt8 = 2
    /// File and function are named in the ring's ``CallSiteTable``.
    static let flagSite: UInt8 = 4
    /// The ambient attributes are in the ring's ``ContextTable``. Only beside ``flagSite``.
    static let flagContext: UInt8 = 8
    /// The thread's id follows the event name.
    static let flagThread: UInt8 = 16
    /// Trace flags follow the trace. Only beside ``flagTrace``.
    static let flagTraceFlags: UInt8 = 32
    /// What a record can have after its event name, in bytes.
    static let longestEnd = 4 + 16 + 8 + 1

    /// The commit word of a record at `position`.
    @inline(__always)
    static func commitWord(position: UInt64, units: Int, secret: UInt64) -> UInt64 {
        stamp(position: position, secret: secret) | UInt64(truncatingIfNeeded: units)
    }

    /// The upper 40 bits of the commit word at `position`.
    @inline(__always)
    static func stamp(position: UInt64, secret: UInt64) -> UInt64 { ((position >> 4) ^ secret) << 24 }

    /// The length in bytes that a commit word tells, or `nil` when it is not one for `position`.
    @inline(__always)
    static func length(commitWord word: UInt64, position: UInt64, secret: UInt64) -> Int? {
        guard word & ~0xFF_FFFF == stamp(position: position, secret: secret) else { return nil }
        let units = Int(truncatingIfNeeded: word & 0xFF_FFFF)
        return units >= 4 ? units * unit : nil
    }

    /// Whether a complete record at `base` has the checksum and lengths that fit each other.
    static func isIntact(_ base: UnsafeRawPointer, length: Int) -> Bool {
        let fields = RecordFields(base)
        return fields.payloadLength + headerSize <= length
            && fields.checksum == checksum(UnsafeRawBufferPointer(start: base, count: length))
    }

    /// The checksum of a record, padding included.
    static func checksum(_ record: UnsafeRawBufferPointer) -> UInt64 {
        Checksum.lanes(
            UnsafeRawBufferPointer(rebasing: record[checkedFrom...]),
            seed: record.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }
}

/// The header of a record that lies at an address, and where its parts are.
struct RecordFields {
    let base: UnsafeRawPointer

    @inline(__always)
    init(_ base: UnsafeRawPointer) { self.base = base }

    var sequence: UInt64 { base.load(fromByteOffset: 8, as: UInt64.self) }
    var checksum: UInt64 { base.load(fromByteOffset: 16, as: UInt64.self) }
    var timestamp: Int64 { base.load(fromByteOffset: 24, as: Int64.self) }
    var messageLength: Int { Int(base.load(fromByteOffset: 32, as: UInt32.self)) }
    var attributesLength: Int { Int(base.load(fromByteOffset: 36, as: UInt32.self)) }
    var contextLength: Int { short(40) }
    var loggerLength: Int { short(42) }
    private var fileLength: Int { isSiteNumbered ? 0 : short(44) }
    private var functionLength: Int { isSiteNumbered ? 0 : short(46) }
    /// How long the names of file and function are, where the record has them itself.
    var sourceLength: Int { fileLength + functionLength }
    /// Whether they are in the ring's ``CallSiteTable``.
    var isSiteNumbered: Bool { flags & RecordCodec.flagSite != 0 }
    /// Whether the ambient attributes are in the ring's ``ContextTable``.
    var isContextNumbered: Bool {
        flags & (RecordCodec.flagContext | RecordCodec.flagSite) == RecordCodec.flagContext | RecordCodec.flagSite
    }
    /// Their number there.
    var contextNumber: UInt16 { UInt16(truncatingIfNeeded: short(46)) }
    var line: UInt32 { base.load(fromByteOffset: 48, as: UInt32.self) }
    var level: Level { Level(rawValue: base.load(fromByteOffset: 52, as: UInt8.self)) ?? .info }
    var flags: UInt8 { base.load(fromByteOffset: 53, as: UInt8.self) }
    var eventLength: Int { short(54) }

    @inline(__always)
    private func short(_ offset: Int) -> Int { Int(base.load(fromByteOffset: offset, as: UInt16.self)) }

    @inline(__always)
    private func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + RecordCodec.headerSize + offset, count: length)
    }

    private var contextStart: Int { messageLength + attributesLength }
    private var sourceStart: Int { contextStart + contextLength + loggerLength }
    private var eventStart: Int { sourceStart + sourceLength }

    var message: UnsafeRawBufferPointer { part(0, messageLength) }
    /// The record's own attributes and, right after them, those of the ambient context, where the record has these itself.
    var attributes: UnsafeRawBufferPointer { part(messageLength, attributesLength + contextLength) }
    var logger: UnsafeRawBufferPointer { part(contextStart + contextLength, loggerLength) }
    /// The names of file and function, given the tables of the ring that the record comes from.
    @inline(__always)
    func source(in tables: RingTables?) -> SourceNames {
        let own = SourceNames(
            base + RecordCodec.headerSize + sourceStart, fileLength: fileLength, functionLength: functionLength)
        return isSiteNumbered ? tables?.sites.names(numbered: short(44)) ?? own : own
    }
    /// The ambient attributes that the record does not have itself; empty where there are none.
    @inline(__always)
    func context(in tables: RingTables?) -> UnsafeRawBufferPointer {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return isContextNumbered ? tables?.contexts.attributes(numbered: contextNumber) ?? none : none
    }
    /// Whether it has any attributes, the mark of one that was cut among them.
    var hasAttributes: Bool {
        attributesLength | contextLength != 0 || flags & (RecordCodec.flagTruncated | RecordCodec.flagContext) != 0
    }
    /// Whether it has been cut.
    var isTruncated: Bool { flags & RecordCodec.flagTruncated != 0 }
    var event: UnsafeRawBufferPointer { part(eventStart, eventLength) }

    var trace: TraceContext? {
        guard flags & RecordCodec.flagTrace != 0 else { return nil }
        let trace = base + RecordCodec.headerSize + threadStart + threadLength
        return TraceContext(
            traceID: TraceID(
                high: trace.loadUnaligned(as: UInt64.self), low: trace.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            ),
            spanID: SpanID(trace.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            flags: TraceFlags(
                rawValue: flags & RecordCodec.flagTraceFlags != 0
                    ? trace.load(fromByteOffset: 24, as: UInt8.self) : 0))
    }

    private var threadStart: Int { eventStart + eventLength }
    private var threadLength: Int { flags & RecordCodec.flagThread != 0 ? 4 : 0 }
    /// The kernel's id of the thread that logged; 0 where the record does not have it.
    var threadID: UInt32 {
        guard threadLength > 0 else { return 0 }
        return (base + RecordCodec.headerSize + threadStart).loadUnaligned(as: UInt32.self)
    }

    /// What follows the event name.
    var ending: UnsafeRawBufferPointer { part(threadStart, payloadLength - threadStart) }

    var payloadLength: Int {
        let trace = flags & RecordCodec.flagTrace != 0 ? flags & RecordCodec.flagTraceFlags != 0 ? 25 : 24 : 0
        return threadStart + threadLength + trace
    }
}
