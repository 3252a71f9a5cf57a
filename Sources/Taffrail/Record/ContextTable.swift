/// The ambient attributes that records refer to, each set once. In a ring's file the table is between header and call
/// sites.
///
/// 16 slots of 528 bytes; the rest of the three pages contains ``RingFilters``. Everything is little-endian:
///
/// | offset | field |
/// |---|---|
/// | 0 | CRC32C u32 of what follows, up to the last attribute |
/// | 4 | generation u32: how often the slot has been used |
/// | 8 | length of the attributes u16; zeros up to 16 |
/// | 16 | attributes, as ``AttributeCodec`` writes them; at most 512 bytes |
///
/// A record's 16-bit number has the slot in the lowest 4 bits and the lowest 12 bits of the generation above them.
struct ContextTable: @unchecked Sendable {
    static let slotCount = 16
    /// The longest attributes of a slot, in bytes.
    static let attributeLimit = 512
    private static let slotSize = headLength + attributeLimit
    private static let headLength = 16
    /// The length of all slots, in bytes.
    static let slotsLength = slotCount * slotSize
    /// The length of the table in the file, in bytes.
    static let length = 12 << 10

    private let base: UnsafeRawPointer

    /// A table at an address.
    init(_ base: UnsafeRawPointer) { self.base = base }

    /// Returns the number that refers to a generation of a slot.
    static func number(slot: Int, generation: UInt32) -> UInt16 {
        UInt16(truncatingIfNeeded: slot) | UInt16(truncatingIfNeeded: generation & 0xFFF) << 4
    }

    /// Returns the attributes with a number; `nil` when the slot contains others.
    func attributes(numbered number: UInt16) -> UnsafeRawBufferPointer? {
        let slot = base + Int(number & 15) * Self.slotSize
        let generation = slot.load(fromByteOffset: 4, as: UInt32.self)
        let length = Int(slot.load(fromByteOffset: 8, as: UInt16.self))
        guard length > 0, length <= Self.attributeLimit, generation & 0xFFF == UInt32(number >> 4) else { return nil }
        return UnsafeRawBufferPointer(start: slot + Self.headLength, count: length)
    }

    /// Writes a set of attributes, at most 512 bytes, into a slot of the table at an address.
    static func write(_ bytes: [UInt8], slot: Int, generation: UInt32, to table: UnsafeMutableRawPointer) {
        let entry = table + slot * slotSize
        let count = min(bytes.count, attributeLimit)
        entry.storeBytes(of: generation, toByteOffset: 4, as: UInt32.self)
        entry.storeBytes(of: UInt64(truncatingIfNeeded: count), toByteOffset: 8, as: UInt64.self)
        UnsafeMutableRawBufferPointer(start: entry + headLength, count: count).copyBytes(from: bytes.prefix(count))
        entry.storeBytes(of: checksum(of: entry, length: count), as: UInt32.self)
    }

    /// Clears the slots of a copied table whose bytes do not match their checksums.
    static func removeDamaged(from table: UnsafeMutableRawPointer) {
        for slot in 0..<slotCount {
            let entry = table + slot * slotSize
            let length = Int(entry.load(fromByteOffset: 8, as: UInt16.self))
            let isSound =
                length <= Self.attributeLimit
                && entry.load(as: UInt32.self) == checksum(of: entry, length: length)
            if !isSound { entry.initializeMemory(as: UInt8.self, repeating: 0, count: slotSize) }
        }
    }

    private static func checksum(of entry: UnsafeRawPointer, length: Int) -> UInt32 {
        Checksum.crc32c(UnsafeRawBufferPointer(start: entry + 4, count: headLength - 4 + length))
    }
}
