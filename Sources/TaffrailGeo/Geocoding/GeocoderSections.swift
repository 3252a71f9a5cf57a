internal import Taffrail

/// A database of places that is mapped into memory. Every access is checked: with a damaged file, results are wrong or
/// missing.
struct GeocoderSections: ~Copyable, @unchecked Sendable {
    private let map: MemoryMap
    private let offsets: InlineArray<13, Int>
    private let counts: InlineArray<13, Int>

    /// The reason why a file is not a database.
    struct Problem: Error { let reason: String }

    init(_ map: consuming MemoryMap) throws(Problem) {
        var (offsets, counts) = (InlineArray<13, Int>(repeating: 0), InlineArray<13, Int>(repeating: 0))
        guard map.length >= GeocoderFormat.dataOffset,
            Self.load(UInt64.self, map.base, 0) == GeocoderFormat.magic
        else { throw Problem(reason: "is not a geocoder database") }
        let version = Self.load(UInt32.self, map.base, 8)
        guard version == GeocoderFormat.version, Self.load(UInt32.self, map.base, 12) == 13 else {
            throw Problem(
                reason: "has version \(version), and only \(GeocoderFormat.version) can be read; build it again")
        }
        guard Self.load(UInt64.self, map.base, 16) == UInt64(map.length) else {
            throw Problem(reason: "is truncated; build it again")
        }
        for section in GeocoderFormat.Section.allCases {
            let entry = GeocoderFormat.tableOffset + 16 * section.rawValue
            let (offset, count) = (
                Self.load(UInt64.self, map.base, entry), Self.load(UInt64.self, map.base, entry + 8)
            )
            let (length, overflow) = count.multipliedReportingOverflow(by: UInt64(section.stride))
            guard !overflow, offset <= UInt64(map.length), length <= UInt64(map.length) - offset, offset % 8 == 0 else {
                throw Problem(reason: "is damaged; build it again")
            }
            offsets[section.rawValue] = Int(offset)
            counts[section.rawValue] = Int(count)
        }
        for section in [GeocoderFormat.Section.placeCells, .shapeCells, .codeCells]
        where counts[section.rawValue] != GeocoderGrid.cells + 1 {
            throw Problem(reason: "is damaged; build it again")
        }
        self.map = map
        self.offsets = offsets
        self.counts = counts
    }

    var length: Int { map.length }

    func count(_ section: GeocoderFormat.Section) -> Int { counts[section.rawValue] }

    @inline(__always)
    private static func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, _ base: UnsafeMutableRawPointer, _ offset: Int
    ) -> T {
        T(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// Returns a number in an entry; 0 if the entry does not exist.
    @inline(__always)
    func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, _ section: GeocoderFormat.Section, _ index: Int, at offset: Int = 0
    ) -> T {
        guard index >= 0, index < counts[section.rawValue] else { return 0 }
        return Self.load(type, map.base, offsets[section.rawValue] + index * section.stride + offset)
    }

    /// Returns the entries of some consecutive cells.
    @inline(__always)
    func entries(
        _ cells: GeocoderFormat.Section, _ first: Int, upTo last: Int, of section: GeocoderFormat.Section
    ) -> Range<Int> {
        let start = Int(load(UInt32.self, cells, first))
        let end = Int(load(UInt32.self, cells, last + 1))
        guard start <= end, end <= count(section) else { return 0..<0 }
        return start..<end
    }

    /// Returns the bytes of consecutive entries found by ``entries(_:_:upTo:of:)``.
    @inline(__always)
    func pointer(_ section: GeocoderFormat.Section, _ entries: Range<Int>) -> UnsafeRawPointer {
        UnsafeRawPointer(map.base + offsets[section.rawValue] + entries.lowerBound * section.stride)
    }

    /// Returns a string: its length (u8), and its UTF-8.
    func string(_ offset: UInt32) -> String? {
        let start = Int(offset)
        guard start < count(.strings) else { return nil }
        let length = Int(load(UInt8.self, .strings, start))
        guard start + 1 + length <= count(.strings) else { return nil }
        return String(decoding: bytes(.strings, start + 1, length), as: UTF8.self)
    }

    /// The notes: the sources of the data, and their licences.
    var notes: String { String(decoding: bytes(.notes, 0, count(.notes)), as: UTF8.self) }

    private func bytes(_ section: GeocoderFormat.Section, _ start: Int, _ length: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: map.base + offsets[section.rawValue] + start, count: length)
    }

    /// Returns two letters, as countries and continents are stored; `nil` for 0.
    func letters(_ section: GeocoderFormat.Section, _ index: Int, at offset: Int) -> String? {
        let pair = load(UInt16.self, section, index, at: offset)
        guard pair != 0 else { return nil }
        return String(decoding: [UInt8(truncatingIfNeeded: pair), UInt8(truncatingIfNeeded: pair >> 8)], as: UTF8.self)
    }
}
