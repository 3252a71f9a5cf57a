/// The file and function names of log calls, each pair once. In a ring's file the table is between header and
/// records.
///
/// A record refers to an entry by a number, its offset in units of 8 bytes. Entries are contiguous from offset 8;
/// everything is little-endian:
///
/// | offset | field |
/// |---|---|
/// | 0 | CRC32C u32 of the following bytes |
/// | 4 | lengths of the file's and the function's name, u16 each |
/// | 8 | both names; zeros up to a multiple of 8 |
struct CallSiteTable: @unchecked Sendable {
    /// The unit of the numbers, and the offset of the first entry, so that 0 is not a valid number.
    static let unit = 8
    private static let headLength = 8

    private let base: UnsafeRawPointer
    private let length: Int

    /// A table of a given length at an address, with zeros after the last entry.
    init(_ base: UnsafeRawPointer, length: Int) {
        self.base = base
        self.length = length
    }

    /// Returns the length of the table for a given length of records, in bytes: a power of two from 4 to 64 KiB.
    static func length(beside capacity: Int) -> Int { min(max(4096, capacity / 64), 64 << 10) }

    /// Returns the names with a number; `nil` for an unused number.
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

    /// Returns the length of an entry in bytes.
    static func size(fileLength: Int, functionLength: Int) -> Int {
        (headLength + fileLength + functionLength + unit - 1) & ~(unit - 1)
    }

    /// Writes an entry if it fits. The names have at most 65,535 bytes each.
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

    /// Returns the end of the valid entries that follow an offset.
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
