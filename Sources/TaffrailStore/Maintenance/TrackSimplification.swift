#if Store
internal import Foundation
public import TaffrailGeo

/// Leaves points of a track out that lie within a tolerance of the line between those that stay: the algorithm of Douglas
/// and Peucker.
///
/// Distances are those on a plane that touches the earth at the start of each piece, with the radii of curvature of WGS84 there: for
/// pieces of up to 100 km they are good to 0.1 %, which the tolerance is lessened by. Longer pieces are divided.
public enum TrackSimplification {
    /// How long a piece may be for its plane to be good, in degrees of latitude and of longitude.
    private static let reach = 0.5

    /// Finds the points that stay.
    ///
    /// - Parameters:
    ///   - points: The track, in its order.
    ///   - tolerance: How far a point that is left out may lie from the line between its neighbours that stay, in metres.
    /// - Returns: Their indices, ascending; the first and the last point are among them.
    public static func indices(_ points: [Coordinate], tolerance: Double) -> [Int] {
        guard points.count > 2 else { return Array(points.indices) }
        var stays = [Bool](repeating: false, count: points.count)
        stays[0] = true
        stays[points.count - 1] = true
        let limit = tolerance.isFinite && tolerance > 0 ? tolerance * 0.999 : 0
        // A stack of its own: a track of a million points may be as deep as it is long.
        var pieces = [(0, points.count - 1)]
        points.withUnsafeBufferPointer { points in
            while let (first, last) = pieces.popLast() {
                guard last - first > 1, let middle = farthest(points, first, last, limit * limit) else { continue }
                stays[middle] = true
                pieces.append((first, middle))
                pieces.append((middle, last))
            }
        }
        return stays.indices.filter { stays[$0] }
    }

    /// The point that is farthest from the line between two others; `nil` where all are near enough.
    @inline(__always)
    private static func farthest(
        _ points: UnsafeBufferPointer<Coordinate>, _ first: Int, _ last: Int, _ limit: Double
    ) -> Int? {
        let origin = points[first]
        let plane = Plane(origin)
        let end = plane.place(points[last])
        // One that reaches too far is divided in its middle, as long as its parts do.
        var isLong =
            abs(points[last].latitude - origin.latitude) > reach
            || abs(plane.turn(points[last])) > reach || abs(origin.latitude) > 89
        let square = end.x * end.x + end.y * end.y
        let scale = square > 0 ? 1 / square : 0
        var greatest = limit
        var found: Int?
        for index in first + 1..<last {
            let point = plane.place(points[index])
            if abs(points[index].latitude - origin.latitude) > reach || abs(plane.turn(points[index])) > reach {
                isLong = true
            }
            // To the nearest place between both ends, not beyond them.
            let along = min(1, max(0, (point.x * end.x + point.y * end.y) * scale))
            let (x, y) = (point.x - along * end.x, point.y - along * end.y)
            let distance = x * x + y * y
            if distance > greatest {
                greatest = distance
                found = index
            }
        }
        return isLong ? (first + last) / 2 : found
    }

    /// A plane that touches the earth.
    private struct Plane {
        private let origin: Coordinate
        private let north: Double
        private let east: Double

        init(_ origin: Coordinate) {
            self.origin = origin
            let latitude = origin.latitude * .pi / 180
            let sine = sin(latitude)
            let (radius, eccentricity) = (6_378_137.0, 0.006_694_379_990_141_317)
            let w = 1 - eccentricity * sine * sine
            // The radii of curvature in the meridian and in the prime vertical.
            north = radius * (1 - eccentricity) / (w * w.squareRoot()) * .pi / 180
            east = radius / w.squareRoot() * cos(latitude) * .pi / 180
        }

        /// The way east in degrees, which may lead across the 180th meridian.
        @inline(__always)
        func turn(_ point: Coordinate) -> Double {
            let turn = point.longitude - origin.longitude
            return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
        }

        @inline(__always)
        func place(_ point: Coordinate) -> (x: Double, y: Double) {
            (turn(point) * east, (point.latitude - origin.latitude) * north)
        }
    }
}
#endif
