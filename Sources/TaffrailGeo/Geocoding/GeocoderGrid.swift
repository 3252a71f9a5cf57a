/// The grid that all sections share: cells of a quarter of a degree, from south-west to north-east, in rows.
///
/// Coordinates are integer millionths of a degree (0.1 m). To compare sides of lines they are doubled, and queried
/// coordinates are then odd, so that no corner of a shape is ever level with them.
enum GeocoderGrid {
    static let columns = 1_440
    static let rows = 720
    static let cells = columns * rows
    static let cellSize: Int32 = 250_000

    /// Returns a coordinate in millionths of a degree, within the grid.
    static func units(_ coordinate: Coordinate) -> GridPoint {
        GridPoint(
            x: Int32(max(-180e6, min(180e6 - 1, (coordinate.longitude * 1e6).rounded(.down)))),
            y: Int32(max(-90e6, min(90e6 - 1, (coordinate.latitude * 1e6).rounded(.down)))))
    }

    static func column(_ x: Int32) -> Int { max(0, min(columns - 1, (Int(x) + 180_000_000) / Int(cellSize))) }
    static func row(_ y: Int32) -> Int { max(0, min(rows - 1, (Int(y) + 90_000_000) / Int(cellSize))) }

    static func cell(of point: GridPoint) -> Int { row(point.y) * columns + column(point.x) }

    /// Returns the reference point of a cell, for which the file states whether it is inside, doubled.
    static func referenceX(_ column: Int) -> Int64 { 2 * (Int64(column) * Int64(cellSize) - 180_000_000) + 1 }
    static func referenceY(_ row: Int) -> Int64 { 2 * (Int64(row) * Int64(cellSize) - 90_000_000) + 1 }
}
