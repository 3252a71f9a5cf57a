internal import Taffrail

/// How far a spool's records have been delivered.
package struct SpoolCursor: Sendable, Hashable {
    /// Every record before it is settled: delivered, or in the ledger.
    package var place = SpoolPlace()
    /// The end of the batch that starts at ``place`` and may have been sent; `nil`: none.
    package var flying: SpoolPlace?
    /// How many attempts have failed in a row.
    package var failures: UInt32 = 0
    /// When the destination may be asked again, ns since 1970; 0: at once.
    package var notBefore: Int64 = 0
    /// Whether the destination has asked for that time.
    package var isAsked = false
}

/// The file `cursor`: two slots that are written in turn, so that a kill leaves one of them intact. Little-endian.
///
/// | offset in a slot | field |
/// |---|---|
/// | 0 | magic u32, CRC32C of the rest u32 |
/// | 8 | generation u64: the slot with the higher one counts |
/// | 16 | place: segment u64, offset i64, index u64 |
/// | 40 | end of the batch in flight, likewise; segment 0: none |
/// | 64 | failed attempts u32, whether the destination has asked for the wait u32; not before, ns since 1970 i64 |
final class SpoolCursorFile: Sendable {
    private let file: FileDescriptor
    private static let slotSize = 128
    private static let magic: UInt32 = 0x3152_4354

    init(directory: String) throws(SystemError) {
        file = try FileDescriptor(directory + "/cursor", [.readWrite, .create, .ownFile])
        file.handOver(toOwnerOf: directory)
    }

    /// Reads the newest intact slot.
    static func read(directory: String) -> (cursor: SpoolCursor, generation: UInt64)? {
        guard let file = try? FileDescriptor(directory + "/cursor", [.read, .ownFile]) else { return nil }
        let slots = [0, 1].compactMap { slot -> (cursor: SpoolCursor, generation: UInt64)? in
            guard let bytes = try? file.read(slotSize, at: Int64(slot * slotSize)) else { return nil }
            return cursor(bytes)
        }
        return slots.max { $0.generation < $1.generation }
    }

    private static func cursor(_ bytes: [UInt8]) -> (cursor: SpoolCursor, generation: UInt64)? {
        guard bytes.count == slotSize else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard bytes.loadUnaligned(as: UInt32.self) == magic,
                bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                    == Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[8...]))
            else { return nil }
            func place(_ offset: Int) -> SpoolPlace {
                SpoolPlace(
                    segment: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                    offset: bytes.loadUnaligned(fromByteOffset: offset + 8, as: Int64.self),
                    index: Int(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)))
            }
            let end = place(40)
            let cursor = SpoolCursor(
                place: place(16), flying: end.segment == 0 ? nil : end,
                failures: UInt32(
                    truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: 64, as: UInt64.self)),
                notBefore: bytes.loadUnaligned(fromByteOffset: 72, as: Int64.self),
                isAsked: bytes.loadUnaligned(fromByteOffset: 68, as: UInt32.self) != 0)
            return (cursor, bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// Writes a slot.
    func write(_ cursor: SpoolCursor, generation: UInt64) throws(SystemError) {
        var bytes = [UInt8](repeating: 0, count: Self.slotSize)
        bytes.withUnsafeMutableBytes { bytes in
            func store(_ place: SpoolPlace, at offset: Int) {
                bytes.storeBytes(of: place.segment, toByteOffset: offset, as: UInt64.self)
                bytes.storeBytes(of: place.offset, toByteOffset: offset + 8, as: Int64.self)
                bytes.storeBytes(of: UInt64(place.index), toByteOffset: offset + 16, as: UInt64.self)
            }
            bytes.storeBytes(of: Self.magic, as: UInt32.self)
            bytes.storeBytes(of: generation, toByteOffset: 8, as: UInt64.self)
            store(cursor.place, at: 16)
            if let end = cursor.flying { store(end, at: 40) }
            bytes.storeBytes(of: cursor.failures, toByteOffset: 64, as: UInt32.self)
            bytes.storeBytes(of: cursor.isAsked ? 1 : 0, toByteOffset: 68, as: UInt32.self)
            bytes.storeBytes(of: cursor.notBefore, toByteOffset: 72, as: Int64.self)
            let sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[8...]))
            bytes.storeBytes(of: sum, toByteOffset: 4, as: UInt32.self)
        }
        try file.write(bytes, at: Int64(generation % 2) * Int64(Self.slotSize))
    }

    /// Makes it survive power loss.
    func synchronize() throws(SystemError) { try file.synchronize() }
}
