/// The file format of a geocoder's database, version 1: little-endian, with sections of fixed-length entries, used
/// directly from memory.
///
/// It begins with the magic number, the version (u32), the number of sections (u32) and the file's length (u64). Then,
/// for each section, its offset (u64, a multiple of 8) and its number of entries (u64). Decision note 0006 lists the
/// entries.
enum GeocoderFormat {
    static let magic: UInt64 = 0x0A31_5057_4F45_4754
    static let version: UInt32 = 1
    static let tableOffset = 24
    static let dataOffset = (tableOffset + 16 * Section.allCases.count + 63) & ~63

    /// The sections, in the order of the table.
    enum Section: Int, CaseIterable {
        case strings, notes, countries, regions, places, placeCells, shapes, points, shapeCells, parts, edges, codes
        case codeCells

        /// The length of an entry in bytes.
        var stride: Int {
            switch self {
            case .strings, .notes: 1
            case .shapes, .placeCells, .shapeCells, .edges, .codeCells, .countries: 4
            case .regions, .points: 8
            case .parts: 12
            case .codes: 16
            case .places: 24
            }
        }
    }

    /// Represents a missing region, string or shape.
    static let none16 = UInt16.max
    static let none32 = UInt32.max
}
