internal import Glibc
public import TaffrailGeo

/// Removes points of a track that lie within a tolerance of the line between the remaining points: the Douglas-Peucker
/// algorithm.
///
/// Distances are measured on a plane that touches the earth at the start of each piece, with the radii of curvature of
/// WGS84 there. The tolerance is reduced by the largest error of the plane; a piece whose error exceeds half the
/// tolerance is divided.
public enum TrackSimplification {
    /// The maximum extent of a piece for which its plane is accurate, in degrees of latitude and of longitude.
    fileprivate static let reach = 0.5

    /// Finds the points to keep.
    ///
    /// - Parameters:
    ///   - points: The track, in its order.
    ///   - tolerance: The maximum distance of a removed point from the line between its remaining neighbours, in metres.
    /// - Returns: The indices of these points, ascending, including the first and the last point.
    public static func indices(_ points: [Coordinate], tolerance: Double) -> [Int] {
        guard points.count > 2 else { return Array(points.indices) }
        var stays = [Bool](repeating: false, count: points.count)
        stays[0] = true
        stays[points.count - 1] = true
        let tolerance = tolerance.isFinite && tolerance > 0 ? tolerance : 0
        // An explicit stack: the recursion for a million points may be a million levels deep.
        var pieces = [(0, points.count - 1)]
        points.withUnsafeBufferPointer { points in
            while let (first, last) = pieces.popLast() {
                guard last - first > 1, let middle = division(points, first, last, tolerance) else { continue }
                stays[middle] = true
                pieces.append((first, middle))
                pieces.append((middle, last))
            }
        }
        return stays.indices.filter { stays[$0] }
    }

    /// Returns the point at which a piece is divided: the point farthest from the line between its ends; `nil` if all
    /// points are within the tolerance.
    @inline(__always)
    private static func division(
        _ points: UnsafeBufferPointer<Coordinate>, _ first: Int, _ last: Int, _ tolerance: Double
    ) -> Int? {
        let origin = points[first]
        let plane = TangentPlane(origin)
        let end = plane.place(points[last])
        // A piece that is too long is halved until its parts are short enough.
        let middle = (first + last) / 2
        guard abs(origin.latitude) <= 89, plane.reaches(points[last]) else { return middle }
        let square = end.x * end.x + end.y * end.y
        let scale = square > 0 ? 1 / square : 0
        var greatest = -1.0
        var farthest = middle
        var extent = abs(points[last].latitude - origin.latitude)
        for index in first + 1..<last {
            guard plane.reaches(points[index]) else { return middle }
            let point = plane.place(points[index])
            extent = max(extent, abs(points[index].latitude - origin.latitude))
            // To the nearest point between both ends, not beyond them.
            let along = min(1, max(0, (point.x * end.x + point.y * end.y) * scale))
            let (x, y) = (point.x - along * end.x, point.y - along * end.y)
            let distance = x * x + y * y
            if distance > greatest {
                greatest = distance
                farthest = index
            }
        }
        let allowed = plane.allowed(tolerance, square, extent)
        guard allowed >= tolerance / 2 else { return middle }
        return greatest <= allowed * allowed ? nil : farthest
    }
}

extension TangentPlane {
    /// Returns whether the plane is accurate at a point.
    @inline(__always)
    fileprivate func reaches(_ point: Coordinate) -> Bool {
        abs(point.latitude - origin.latitude) <= TrackSimplification.reach
            && abs(turn(point)) <= TrackSimplification.reach
    }

    /// Returns a tolerance reduced by the error of the plane for a piece.
    ///
    /// - Parameters:
    ///   - square: The square of the distance between the ends of the piece, in square metres.
    ///   - extent: The greatest difference in latitude from the origin, in degrees.
    fileprivate func allowed(_ tolerance: Double, _ square: Double, _ extent: Double) -> Double {
        let tangent = tan((abs(origin.latitude) + extent) * .pi / 180)
        // Nearer to the equator, a degree of longitude is longer than at the origin.
        let stretch = 1.1 * tangent * extent * .pi / 180
        // The shortest line deviates from a straight line on the plane: its curvature is at most 1.09 tan(latitude) /
        // radius.
        let bend = 1.2 * tangent * square / (8 * 6_356_752)
        return tolerance * 0.999 / (1 + stretch) - bend
    }
}
