/// The order of points by cell, and the start of each cell.
struct GeocoderCells {
    private(set) var order: [Int]
    /// A number for each cell and one more, as in the file.
    private(set) var starts: [UInt8]

    init(_ points: [GridPoint]) {
        let cells = points.map { GeocoderGrid.cell(of: $0) }
        order = cells.indices.sorted { (cells[$0], $0) < (cells[$1], $1) }
        var counts: [(cell: Int, count: Int)] = []
        for index in order {
            if counts.last?.cell != cells[index] { counts.append((cells[index], 0)) }
            counts[counts.count - 1].count += 1
        }
        starts = Self.starts(counts)
    }

    /// Returns the start of each cell, given the number of entries of the non-empty cells in order.
    static func starts(_ counts: [(cell: Int, count: Int)]) -> [UInt8] {
        let starts = [UInt32](unsafeUninitializedCapacity: GeocoderGrid.cells + 1) { space, written in
            var sum: UInt32 = 0
            func fill(to end: Int) {
                space[written..<end].initialize(repeating: sum.littleEndian)
                written = end
            }
            for (cell, count) in counts {
                fill(to: cell + 1)
                sum += UInt32(count)
            }
            fill(to: GeocoderGrid.cells + 1)
        }
        return starts.withUnsafeBytes { Array($0) }
    }
}
