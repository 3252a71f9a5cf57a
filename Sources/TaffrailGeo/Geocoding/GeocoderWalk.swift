/// The path from a cell's reference point to a place in it: first along the parallel, then along the meridian.
struct GeocoderWalk {
    private let start: (x: Int64, y: Int64)
    private let end: (x: Int64, y: Int64)

    @inline(__always)
    init(to point: GridPoint) {
        start = (
            GeocoderGrid.referenceX(GeocoderGrid.column(point.x)), GeocoderGrid.referenceY(GeocoderGrid.row(point.y))
        )
        end = (2 * Int64(point.x) + 1, 2 * Int64(point.y) + 1)
    }

    /// Returns whether the path crosses an edge an odd number of times.
    @inline(__always)
    func crosses(_ one: GridPoint, _ other: GridPoint) -> Bool {
        let (ax, ay, bx, by) = (2 * Int64(one.x), 2 * Int64(one.y), 2 * Int64(other.x), 2 * Int64(other.y))
        let isAcross = (ay > start.y) != (by > start.y)
        let isAlong = (ax > end.x) != (bx > end.x)
        guard isAcross || isAlong else { return false }
        /// Returns whether a point is on the left of the edge.
        func isLeft(_ x: Int64, _ y: Int64) -> Bool { (bx - ax) &* (y - ay) &- (by - ay) &* (x - ax) >= 0 }
        let corner = isLeft(end.x, start.y)
        let crossesParallel = isAcross && isLeft(start.x, start.y) != corner
        let crossesMeridian = isAlong && corner != isLeft(end.x, end.y)
        return crossesParallel != crossesMeridian
    }
}
