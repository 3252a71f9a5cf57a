/// The layout of a record in the ring. Everything is little-endian; a record starts at a multiple of 16.
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
/// With ``flagSite`` a record does not contain the names of file and function, but at 44 their number in the
/// ``CallSiteTable``. It may then have ``flagContext``, and at 46 the number of its ambient attributes in the
/// ``ContextTable``, which follow its own. Records of ring format 2 have none of the flags of 8 or greater.
///
/// The stamp is the low 40 bits of the position in units of 16, XORed with the ring's secret, so that neither remains
/// of an earlier lap nor user data look like a record.
enum RecordLayout {
    // The offsets of the fields.
    static let commit = 0
    static let sequence = 8
    static let checksum = 16
    static let timestamp = 24
    static let messageLength = 32
    static let attributesLength = 36
    static let contextLength = 40
    static let loggerLength = 42
    static let fileLength = 44
    static let siteNumber = 44
    static let functionLength = 46
    static let contextNumber = 46
    static let line = 48
    static let level = 52
    static let flags = 53
    static let eventLength = 54
    /// The offset of the payload.
    static let headerSize = 56
    /// The offset at which the checked part of a record starts.
    static let checkedFrom = messageLength

    static let unit = 16
    /// The length of the shortest record.
    static let smallest = 64
    static let alignment = 16
    /// The longest string that a 16-bit length allows.
    static let shortLimit = 65_535

    static let flagTrace: UInt8 = 1
    static let flagTruncated: UInt8 = 2
    /// The names of file and function are in the ring's ``CallSiteTable``.
    static let flagSite: UInt8 = 4
    /// The ambient attributes are in the ring's ``ContextTable``. Only with ``flagSite``.
    static let flagContext: UInt8 = 8
    /// The thread's id follows the event name.
    static let flagThread: UInt8 = 16
    /// Trace flags follow the trace. Only with ``flagTrace``.
    static let flagTraceFlags: UInt8 = 32

    /// The length of the thread's id.
    static let threadLength = 4
    // The offsets in a trace.
    static let traceLow = 8
    static let spanID = 16
    static let traceFlags = 24
    /// The length of a trace; with flags it is a byte longer.
    static let traceLength = 24
    /// The longest part of a record after its event name, in bytes.
    static let longestEnd = threadLength + traceLength + 1

    /// Returns the commit word of a record at `position`.
    @inline(__always)
    static func commitWord(position: UInt64, units: Int, secret: UInt64) -> UInt64 {
        stamp(position: position, secret: secret) | UInt64(truncatingIfNeeded: units)
    }

    /// Returns the upper 40 bits of the commit word at `position`.
    @inline(__always)
    static func stamp(position: UInt64, secret: UInt64) -> UInt64 { ((position >> 4) ^ secret) << 24 }

    /// Returns the length of the record at an address, in bytes.
    @inline(__always)
    static func length(of record: UnsafeRawPointer) -> Int {
        Int(truncatingIfNeeded: record.load(as: UInt64.self) & 0xFF_FFFF) * unit
    }

    /// Returns the length in bytes according to a commit word, or `nil` if it is not one for `position`.
    @inline(__always)
    static func length(commitWord word: UInt64, position: UInt64, secret: UInt64) -> Int? {
        guard word & ~0xFF_FFFF == stamp(position: position, secret: secret) else { return nil }
        let units = Int(truncatingIfNeeded: word & 0xFF_FFFF)
        return units >= 4 ? units * unit : nil
    }

    /// Returns whether the complete record at `base` has a matching checksum and consistent lengths.
    static func isIntact(_ base: UnsafeRawPointer, length: Int) -> Bool {
        let fields = RecordFields(base)
        return fields.payloadLength + headerSize <= length
            && fields.checksum == checksum(of: UnsafeRawBufferPointer(start: base, count: length))
    }

    /// Returns the checksum of a record, padding included.
    static func checksum(of record: UnsafeRawBufferPointer) -> UInt64 {
        Checksum.lanes(
            UnsafeRawBufferPointer(rebasing: record[checkedFrom...]),
            seed: record.loadUnaligned(fromByteOffset: timestamp, as: UInt64.self))
    }
}
