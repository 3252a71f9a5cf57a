/// The file format of a geocoder's database, version 1: little-endian, sections of fixed-length entries, used directly
/// from memory.
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

/// The grid that all sections share: cells of a quarter of a degree, from south-west to north-east, in rows.
///
/// Coordinates are integer millionths of a degree (0.1 m). To compare sides of lines they are doubled, and queried
/// coordinates are then odd, so that no corner of a shape is ever level with them.
enum GeocoderGrid {
    static let columns = 1_440
    static let rows = 720
    static let cells = columns * rows
    static let cellSize: Int32 = 250_000

    /// A coordinate in millionths of a degree, within the grid.
    static func units(_ coordinate: Coordinate) -> GridPoint {
        GridPoint(
            x: Int32(max(-180e6, min(180e6 - 1, (coordinate.longitude * 1e6).rounded(.down)))),
            y: Int32(max(-90e6, min(90e6 - 1, (coordinate.latitude * 1e6).rounded(.down)))))
    }

    static func column(_ x: Int32) -> Int { max(0, min(columns - 1, (Int(x) + 180_000_000) / Int(cellSize))) }
    static func row(_ y: Int32) -> Int { max(0, min(rows - 1, (Int(y) + 90_000_000) / Int(cellSize))) }

    static func cell(of point: GridPoint) -> Int { row(point.y) * columns + column(point.x) }

    /// The reference point of a cell, for which the file states whether it is inside, doubled.
    static func referenceX(_ column: Int) -> Int64 { 2 * (Int64(column) * Int64(cellSize) - 180_000_000) + 1 }
    static func referenceY(_ row: Int) -> Int64 { 2 * (Int64(row) * Int64(cellSize) - 90_000_000) + 1 }
}

/// A coordinate in millionths of a degree.
struct GridPoint: Sendable, Hashable {
    var x: Int32
    var y: Int32

    init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }

    /// Reads a coordinate from the file: the latitude, then the longitude.
    @inline(__always)
    init(_ bytes: UnsafeRawPointer) {
        let both = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
        self.init(x: Int32(truncatingIfNeeded: both >> 32), y: Int32(truncatingIfNeeded: both))
    }
}
