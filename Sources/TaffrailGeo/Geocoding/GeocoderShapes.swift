/// The polygons of a geocoder's file, divided by cells: the edges in each cell, and whether its reference point is
/// inside.
///
/// Whether a point is inside follows from the number of edges between the cell's reference point and it; a cell that no
/// edge crosses is inside or outside as a whole.
struct GeocoderShapes {
    private(set) var shapes: [UInt8] = []
    private(set) var points: [UInt8] = []
    private(set) var cells: [UInt8] = []
    private(set) var parts: [UInt8] = []
    private(set) var edges: [UInt8] = []

    private struct Part {
        var shape: UInt16
        var isInside: Bool
        var edges: [UInt32]
    }

    private var corners: [GridPoint] = []
    private var numbers: [(country: UInt16, region: UInt16)] = []
    /// The contents of each cell.
    private var partsByCell: [Int: [Part]] = [:]

    init(_ boundaries: [GeocoderBuilder.Boundary], _ tables: inout GeocoderTables) {
        for boundary in boundaries.prefix(Int(GeocoderFormat.none16)) {
            let country = tables.country(boundary.country)
            let region = tables.region(boundary.region, of: country)
            shapes.append(number: country)
            shapes.append(number: region)
            add(boundary.rings, shape: UInt16(numbers.count))
            numbers.append((country, region))
        }
        encode()
    }

    // MARK: Division into cells

    private mutating func add(_ rings: [[Coordinate]], shape: UInt16) {
        var edgesByCell: [Int: [UInt32]] = [:]
        /// The longitudes at which the edges of this shape cross each row's reference latitude, doubled.
        var crossings: [Int: [Double]] = [:]
        for ring in rings {
            var last: GridPoint?
            var closed = ring.map(Self.corner)
            if closed.first != closed.last, let first = closed.first { closed.append(first) }
            for corner in closed {
                if let last, last != corner {
                    corners.append(corner)
                    let edge = UInt32(corners.count - 2)
                    cut(from: last, to: corner) { edgesByCell[$0, default: []].append(edge) }
                    cross(from: last, to: corner) { crossings[$0, default: []].append($1) }
                } else if last == nil {
                    corners.append(corner)
                }
                last = corner
            }
        }
        var cells = Set(edgesByCell.keys)
        for (row, list) in crossings {
            let sorted = list.sorted()
            crossings[row] = sorted
            // Between two crossings all cells are inside.
            for index in stride(from: 0, to: sorted.count - 1, by: 2) {
                let first = GeocoderGrid.column(Self.units(sorted[index]))
                let last = GeocoderGrid.column(Self.units(sorted[index + 1]))
                for column in first...last { cells.insert(row * GeocoderGrid.columns + column) }
            }
        }
        for cell in cells {
            let (row, column) = (cell / GeocoderGrid.columns, cell % GeocoderGrid.columns)
            let reference = Double(GeocoderGrid.referenceX(column))
            let isInside = (crossings[row] ?? []).count { $0 < reference } % 2 == 1
            let edges = edgesByCell[cell] ?? []
            if isInside || !edges.isEmpty {
                partsByCell[cell, default: []].append(Part(shape: shape, isInside: isInside, edges: edges))
            }
        }
    }

    /// Returns a corner of a shape; unlike a place, it may be on the last meridian or at a pole.
    private static func corner(_ coordinate: Coordinate) -> GridPoint {
        GridPoint(x: Int32((coordinate.longitude * 1e6).rounded()), y: Int32((coordinate.latitude * 1e6).rounded()))
    }

    private static func units(_ doubled: Double) -> Int32 {
        Int32(max(-180e6, min(180e6, (doubled / 2).rounded(.down))))
    }

    /// Calls `body` with the cells that an edge may touch.
    private func cut(from start: GridPoint, to end: GridPoint, _ body: (Int) -> Void) {
        let (low, high) = start.y < end.y ? (start, end) : (end, start)
        for row in GeocoderGrid.row(low.y - 1)...GeocoderGrid.row(high.y) {
            // The part of the edge in this row, with a margin.
            let south = Double(row) * Double(GeocoderGrid.cellSize) - 90e6 - 2
            let north = south + Double(GeocoderGrid.cellSize) + 4
            let ends = [max(south, Double(low.y)), min(north, Double(high.y))].map { y -> Double in
                guard high.y > low.y else { return Double(low.x) }
                return Double(low.x) + (y - Double(low.y)) / Double(high.y - low.y) * Double(high.x - low.x)
            }
            let all = high.y == low.y ? [Double(low.x), Double(high.x)] : ends
            let west = GeocoderGrid.column(Self.units(2 * ((all.min() ?? 0) - 2)))
            let east = GeocoderGrid.column(Self.units(2 * ((all.max() ?? 0) + 2)))
            for column in west...east { body(row * GeocoderGrid.columns + column) }
        }
    }

    /// Calls `body` with the rows whose reference latitude an edge crosses, and with that latitude.
    private func cross(from start: GridPoint, to end: GridPoint, _ body: (Int, Double) -> Void) {
        let (low, high) = start.y < end.y ? (start, end) : (end, start)
        guard low.y < high.y else { return }
        for row in GeocoderGrid.row(low.y)...GeocoderGrid.row(high.y) {
            let y = GeocoderGrid.referenceY(row)
            guard (2 * Int64(low.y) > y) != (2 * Int64(high.y) > y) else { continue }
            let share = Double(y - 2 * Int64(low.y)) / Double(2 * (Int64(high.y) - Int64(low.y)))
            body(row, 2 * (Double(low.x) + share * Double(Int64(high.x) - Int64(low.x))))
        }
    }

    // MARK: The file

    private mutating func encode() {
        points.reserveCapacity(8 * corners.count)
        for corner in corners { points.append(point: corner) }
        let sorted = partsByCell.sorted { $0.key < $1.key }
        cells = GeocoderCells.starts(sorted.map { ($0.key, $0.value.count) })
        // Shapes are found in the order in which they were added.
        for part in sorted.lazy.flatMap(\.value) {
            parts.append(number: part.shape)
            parts.append(number: UInt16(part.isInside ? 1 : 0))
            parts.append(number: UInt32(edges.count / 4))
            parts.append(number: UInt32(part.edges.count))
            for edge in part.edges { edges.append(number: edge) }
        }
    }

    /// Returns the region around a place, if it belongs to the place's country.
    func region(at point: GridPoint, in country: UInt16) -> UInt16 {
        for part in partsByCell[GeocoderGrid.cell(of: point)] ?? [] where numbers[Int(part.shape)].country == country {
            if isInside(part, point) { return numbers[Int(part.shape)].region }
        }
        return GeocoderFormat.none16
    }

    private func isInside(_ part: Part, _ point: GridPoint) -> Bool {
        let walk = GeocoderWalk(to: point)
        return part.edges.reduce(part.isInside) { isInside, edge in
            isInside != walk.crosses(corners[Int(edge)], corners[Int(edge) + 1])
        }
    }
}
