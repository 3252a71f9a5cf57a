/// The ambient attributes that records refer to, each set once: in a ring's file, between header and call sites.
///
/// There are 16 slots of 528 bytes; what they leave of three pages is zero. Everything is little-endian:
///
/// | offset | field |
/// |---|---|
/// | 0 | CRC32C u32 of what follows, up to the last attribute |
/// | 4 | generation u32: how often the slot has been used |
/// | 8 | length of the attributes u16; zeros up to 16 |
/// | 16 | attributes, as ``AttributeCodec`` writes them; at most 512 bytes |
///
/// A record has the number of its slot in the lowest 4 bits of 16, and the generation's lowest 12 bits above them.
struct ContextTable: @unchecked Sendable {
    static let slotCount = 16
    /// How many bytes of attributes a slot has room for.
    static let attributeLimit = 512
    private static let slotSize = headLength + attributeLimit
    private static let headLength = 16
    /// How much of the file the table takes, in bytes.
    static let length = 12 << 10

    private let base: UnsafeRawPointer

    /// A table at an address.
    init(_ base: UnsafeRawPointer) { self.base = base }

    /// The number by which records refer to what a slot has in a generation.
    static func number(slot: Int, generation: UInt32) -> UInt16 {
        UInt16(truncatingIfNeeded: slot) | UInt16(truncatingIfNeeded: generation & 0xFFF) << 4
    }

    /// The attributes with a number; `nil` where the slot has others.
    func attributes(numbered number: UInt16) -> UnsafeRawBufferPointer? {
        let slot = base + Int(number & 15) * Self.slotSize
        let generation = slot.load(fromByteOffset: 4, as: UInt32.self)
        let length = Int(slot.load(fromByteOffset: 8, as: UInt16.self))
        guard length > 0, length <= Self.attributeLimit, generation & 0xFFF == UInt32(number >> 4) else { return nil }
        return UnsafeRawBufferPointer(start: slot + Self.headLength, count: length)
    }

    /// Writes a set of attributes, which has at most 512 bytes, into a slot of the table at an address.
    static func write(_ bytes: [UInt8], slot: Int, generation: UInt32, to table: UnsafeMutableRawPointer) {
        let entry = table + slot * slotSize
        let count = min(bytes.count, attributeLimit)
        entry.storeBytes(of: generation, toByteOffset: 4, as: UInt32.self)
        entry.storeBytes(of: UInt64(truncatingIfNeeded: count), toByteOffset: 8, as: UInt64.self)
        UnsafeMutableRawBufferPointer(start: entry + headLength, count: count).copyBytes(from: bytes.prefix(count))
        entry.storeBytes(of: checksum(of: entry, length: count), as: UInt32.self)
    }

    /// Empties the slots of a copy of a table whose bytes do not fit their checksums.
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
