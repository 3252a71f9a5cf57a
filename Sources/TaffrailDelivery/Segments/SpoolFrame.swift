package import Taffrail

/// The header of a frame, which contains the records of one batch as they were in the queue. Little-endian.
///
/// | offset | field |
/// |---|---|
/// | 0 | magic u32, CRC32C of the header from offset 8 on u32 |
/// | 8 | length of the payload u32, CRC32C of the payload u32 |
/// | 16 | run u64 |
/// | 24 | first and last sequence number u64 |
/// | 40 | ring position after the batch u64 |
/// | 48 | time of the write, ns since 1970 i64 |
/// | 56 | number of records u32, kind u8, whether a loss is in the ledger u8, 0 u16 |
/// | 64 | records of each level, seven u32; length of the state u32 |
/// | 96 | payload: records, each as in ``RecordBuffer``, then the state; padded to a multiple of 16 |
///
/// The state is that of a sink whose output is derived from the queue's records: a generation, u64, and the state
/// itself. Most frames have none.
package struct SpoolFrame: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        case records = 0
        /// Records without a position: dead letters to be sent again.
        case again = 1
        /// The count of records that were dropped because the spool was full. No payload.
        case dropped = 2
        /// A record that the destination refused, followed by the reason.
        case deadLetter = 3
    }

    package var kind = Kind.records
    /// Whether a loss is in the ledger.
    var isNoted = false
    package var run: RingID
    package var first: UInt64 = 0
    package var last: UInt64 = 0
    /// The ring position after the batch.
    var position: UInt64 = 0
    package var time: Int64
    package var count: UInt32 = 0
    /// By level's raw value.
    var levels = SIMD8<UInt32>(repeating: 0)
    package var payloadLength = 0
    var payloadSum: UInt32 = 0
    /// The number of bytes at the end of the payload that are the state.
    var stateLength = 0

    static let headerSize = 96
    private static let magic: UInt32 = 0x4D52_4654

    init(run: RingID, time: Int64) {
        self.run = run
        self.time = time
    }

    /// The length with its payload, a multiple of 16.
    package var length: Int { Self.headerSize + (payloadLength + 15) & ~15 }

    /// The length of the records.
    var recordsLength: Int { payloadLength - stateLength }

    /// The identity of the dead letters to send again in this frame; 0 if it has none.
    var again: UInt64 { kind == .again ? position : 0 }

    /// The progress in the queue with its last record; `nil`: its records are from elsewhere.
    var mark: SpoolMarks.Mark? {
        switch kind {
        case .records, .dropped:
            SpoolMarks.Mark(ring: RingMark(run: run, position: position), sequence: last)
        case .again, .deadLetter: nil
        }
    }

    /// Counts a record.
    mutating func add(_ level: Level, _ sequence: UInt64) {
        levels[Int(level.rawValue)] &+= 1
        if count == 0 { first = sequence }
        last = sequence
        count &+= 1
    }

    /// Adds the counts of another frame.
    mutating func add(countsOf other: SpoolFrame) {
        levels &+= other.levels
        count &+= other.count
    }

    /// The counts in the form of the ledger.
    var byLevel: [Level: UInt64] {
        var known: [Level: UInt64] = [:]
        for level in Level.allCases where levels[Int(level.rawValue)] > 0 {
            known[level] = UInt64(levels[Int(level.rawValue)])
        }
        return known
    }

    var sequences: ClosedRange<UInt64>? { first > 0 && first <= last ? first...last : nil }

    // MARK: Bytes

    /// Stores the header at the start of some bytes.
    func store(in bytes: UnsafeMutableRawBufferPointer) {
        for offset in 0..<Self.headerSize { bytes[offset] = 0 }
        bytes.storeBytes(of: Self.magic, as: UInt32.self)
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: payloadLength), toByteOffset: 8, as: UInt32.self)
        bytes.storeBytes(of: payloadSum, toByteOffset: 12, as: UInt32.self)
        bytes.storeBytes(of: run.value, toByteOffset: 16, as: UInt64.self)
        bytes.storeBytes(of: first, toByteOffset: 24, as: UInt64.self)
        bytes.storeBytes(of: last, toByteOffset: 32, as: UInt64.self)
        bytes.storeBytes(of: position, toByteOffset: 40, as: UInt64.self)
        bytes.storeBytes(of: time, toByteOffset: 48, as: Int64.self)
        bytes.storeBytes(of: count, toByteOffset: 56, as: UInt32.self)
        bytes[60] = kind.rawValue
        bytes[61] = isNoted ? 1 : 0
        for level in 0..<7 { bytes.storeBytes(of: levels[level], toByteOffset: 64 + 4 * level, as: UInt32.self) }
        bytes.storeBytes(of: UInt32(truncatingIfNeeded: stateLength), toByteOffset: 92, as: UInt32.self)
        bytes.storeBytes(of: Self.sum(UnsafeRawBufferPointer(bytes)), toByteOffset: 4, as: UInt32.self)
    }

    private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[8..<headerSize]))
    }

    /// Returns the header and its payload in one array.
    func bytes(with payload: borrowing [UInt8]) -> [UInt8] {
        var frame = self
        frame.payloadLength = payload.count
        payload.withUnsafeBytes { frame.payloadSum = Checksum.crc32c($0) }
        var bytes = [UInt8](repeating: 0, count: Self.headerSize)
        bytes.reserveCapacity(frame.length)
        bytes += payload
        bytes += repeatElement(0, count: frame.length - bytes.count)
        bytes.withUnsafeMutableBytes { frame.store(in: $0) }
        return bytes
    }

    /// Reads an intact header at the start of some bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerSize, bytes.loadUnaligned(as: UInt32.self) == Self.magic,
            bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) == Self.sum(bytes),
            let kind = Kind(rawValue: bytes[60])
        else { return nil }
        self.init(
            run: RingID(bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
            time: bytes.loadUnaligned(fromByteOffset: 48, as: Int64.self))
        self.kind = kind
        isNoted = bytes[61] != 0
        payloadLength = Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        payloadSum = bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        first = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        last = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
        position = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        count = bytes.loadUnaligned(fromByteOffset: 56, as: UInt32.self)
        for level in 0..<7 {
            levels[level] = bytes.loadUnaligned(fromByteOffset: 64 + 4 * level, as: UInt32.self)
        }
        stateLength = min(payloadLength, Int(bytes.loadUnaligned(fromByteOffset: 92, as: UInt32.self)))
    }
}
