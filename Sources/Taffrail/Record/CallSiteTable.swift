internal import CTaffrail

/// The names of the files and functions that records come from, each pair once: in a ring's file, between header and
/// records.
///
/// A record names its place by a number, the entry's offset in units of 8 bytes. Entries follow each other from offset 8
/// on; everything is little-endian:
///
/// | offset | field |
/// |---|---|
/// | 0 | CRC32C u32 of what follows |
/// | 4 | lengths of the file's and the function's name, u16 each |
/// | 8 | both names; zeros up to a multiple of 8 |
struct CallSiteTable: @unchecked Sendable {
    /// What a number counts, and where the first entry is, so that 0 is no number.
    static let unit = 8
    private static let headLength = 8

    private let base: UnsafeRawPointer
    private let length: Int

    /// A table at an address, of so many bytes, with zeros behind the last entry.
    init(_ base: UnsafeRawPointer, length: Int) {
        self.base = base
        self.length = length
    }

    /// How long the table is beside so many bytes of records, in bytes: a power of two from 4 to 64 KiB.
    static func length(beside capacity: Int) -> Int { min(max(4096, capacity / 64), 64 << 10) }

    /// The names with a number; `nil` where there are none.
    @inline(__always)
    func names(numbered number: Int) -> SourceNames? {
        let offset = number &* Self.unit
        guard number > 0, offset <= length &- Self.headLength else { return nil }
        let entry = base + offset
        let file = Int(entry.load(fromByteOffset: 4, as: UInt16.self))
        let function = Int(entry.load(fromByteOffset: 6, as: UInt16.self))
        guard file > 0, file &+ function <= length &- Self.headLength &- offset else { return nil }
        return SourceNames(entry + Self.headLength, fileLength: file, functionLength: function)
    }

    /// How many bytes an entry takes.
    static func size(fileLength: Int, functionLength: Int) -> Int {
        (headLength + fileLength + functionLength + unit - 1) & ~(unit - 1)
    }

    /// Writes an entry where there is room for it. The names have at most 65,535 bytes each.
    static func write(
        file: UnsafeRawBufferPointer, function: UnsafeRawBufferPointer, to entry: UnsafeMutableRawPointer
    ) {
        entry.storeBytes(of: UInt16(truncatingIfNeeded: file.count), toByteOffset: 4, as: UInt16.self)
        entry.storeBytes(of: UInt16(truncatingIfNeeded: function.count), toByteOffset: 6, as: UInt16.self)
        let names = UnsafeMutableRawBufferPointer(start: entry + headLength, count: file.count + function.count)
        names.copyBytes(from: file)
        UnsafeMutableRawBufferPointer(rebasing: names[file.count...]).copyBytes(from: function)
        entry.storeBytes(of: checksum(of: entry, nameLength: names.count), as: UInt32.self)
    }

    /// Where the entries end that follow each other soundly from an offset on.
    func soundEnd(from start: Int) -> Int {
        var end = start
        while let names = names(numbered: end / Self.unit),
            (base + end).load(as: UInt32.self) == Self.checksum(of: base + end, nameLength: names.both.count)
        {
            end += Self.size(fileLength: names.file.count, functionLength: names.function.count)
        }
        return end
    }

    private static func checksum(of entry: UnsafeRawPointer, nameLength: Int) -> UInt32 {
        Checksum.crc32c(UnsafeRawBufferPointer(start: entry + 4, count: headLength - 4 + nameLength))
    }
}
