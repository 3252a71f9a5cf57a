#if Store
internal import TaffrailGeo
internal import TaffrailTracks

/// The shape of a closed block: lines from which none of its points is farther than a tolerance.
///
/// A line ends at a pause. The points that are excluded from trips have their own lines, so that a block whose
/// overview misses a box has no point in the box. Each vertex is stored in 12 bytes, with coordinates as SQLite stores
/// those of points.
struct BlockOverview: Equatable {
    /// The maximum distance of a point from its line, in metres.
    static let tolerance = 10.0
    /// The pause after which a line ends, in milliseconds.
    static let pause: Int64 = 300_000

    /// A vertex of a line.
    struct Vertex: Equatable {
        /// Milliseconds since 1970.
        var time: Int64
        var place: ScaledCoordinate
        /// Whether it is the first vertex of a line.
        var isStart: Bool
        /// Whether it is excluded from trips.
        var isExcluded: Bool
    }

    /// A point of a block.
    struct Fix {
        var time: Int64
        var place: ScaledCoordinate
        var isExcluded: Bool
    }

    /// The vertices of all lines, line by line, each in chronological order.
    private(set) var vertices: [Vertex] = []

    /// Finds the lines through the points of a block.
    ///
    /// - Parameter fixes: The points in chronological order.
    /// - Returns: `nil` for points with invalid coordinates: their block has no overview.
    init?(_ fixes: [Fix]) {
        for isExcluded in [false, true] {
            let fixes = fixes.filter { $0.isExcluded == isExcluded }
            guard fixes.allSatisfy({ $0.place.coordinate.isValid }) else { return nil }
            var start = 0
            for end in fixes.indices where end + 1 == fixes.count || fixes[end + 1].time - fixes[end].time > Self.pause
            {
                let line = fixes[start...end]
                for index in TrackSimplification.indices(line.map(\.place.coordinate), tolerance: Self.tolerance) {
                    let fix = line[start + index]
                    vertices.append(
                        Vertex(time: fix.time, place: fix.place, isStart: index == 0, isExcluded: isExcluded))
                }
                start = end + 1
            }
        }
    }

    // MARK: Storing

    private static let size = 12
    private static let startBit: UInt32 = 1 << 31
    private static let excludedBit: UInt32 = 1 << 30

    /// The stored bytes.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(vertices.count * Self.size)
        func append(_ word: UInt32) {
            for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        for vertex in vertices {
            let hour = BlockKey(device: 0, time: vertex.time).hour
            var head = UInt32(truncatingIfNeeded: vertex.time &- hour &* BlockKey.length)
            if vertex.isStart { head |= Self.startBit }
            if vertex.isExcluded { head |= Self.excludedBit }
            append(head)
            append(UInt32(truncatingIfNeeded: vertex.place.lat))
            append(UInt32(truncatingIfNeeded: vertex.place.lon))
        }
        return bytes
    }

    /// Reads stored bytes.
    ///
    /// - Returns: `nil` if they are empty or damaged: the points are read instead.
    init?(_ bytes: UnsafeRawBufferPointer, hour: Int64) {
        guard !bytes.isEmpty, bytes.count % Self.size == 0 else { return nil }
        func word(_ offset: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        vertices.reserveCapacity(bytes.count / Self.size)
        for offset in stride(from: 0, to: bytes.count, by: Self.size) {
            let head = word(offset)
            vertices.append(
                Vertex(
                    time: hour &* BlockKey.length &+ Int64(head & ~(Self.startBit | Self.excludedBit)),
                    place: ScaledCoordinate(
                        lat: Int64(Int32(bitPattern: word(offset + 4))), lon: Int64(Int32(bitPattern: word(offset + 8)))
                    ),
                    isStart: head & Self.startBit != 0, isExcluded: head & Self.excludedBit != 0))
        }
    }

    // MARK: Boxes

    /// Returns whether none of the block's points is in a box.
    func misses(_ box: BlockBox) -> Bool {
        guard let reach = Reach(box) else { return false }
        var last: ScaledCoordinate?
        for vertex in vertices {
            if vertex.isStart { last = nil }
            // A line across the 180th meridian, or near it, is not measured.
            guard abs(vertex.place.lon) < Reach.limit, !reach.meets(last ?? vertex.place, vertex.place) else {
                return false
            }
            last = vertex.place
        }
        return true
    }

    /// A box with a margin around it, in units of 1e-7 degrees.
    private struct Reach {
        /// Longitudes beyond this limit are too near the 180th meridian.
        static let limit: Int64 = 1_795_000_000
        private let south, north, west, east: Double

        /// - Returns: `nil` near a pole, where meridians converge.
        init?(_ box: BlockBox) {
            let farthest = Double(max(abs(box.south), abs(box.north))) / 1e7
            guard farthest < 85 else { return nil }
            // 1 % more than the tolerance. A degree of latitude is at least 110.5 km, a degree of longitude, at 85.1
            // degrees, 9.5 km.
            let north = BlockOverview.tolerance * 1.01 / 110_500 * 1e7
            let east = north * (farthest < 60 ? 2.1 : 12)
            (south, self.north) = (Double(box.south) - north, Double(box.north) + north)
            (west, self.east) = (Double(box.west) - east, Double(box.east) + east)
        }

        /// Returns whether a line between two places meets the box.
        @inline(__always)
        func meets(_ one: ScaledCoordinate, _ two: ScaledCoordinate) -> Bool {
            let (x0, y0, x1, y1) = (Double(one.lon), Double(one.lat), Double(two.lon), Double(two.lat))
            guard max(x0, x1) >= west, min(x0, x1) <= east, max(y0, y1) >= south, min(y0, y1) <= north else {
                return false
            }
            // The corners of the box are on both sides of the line, or on it.
            func side(_ x: Double, _ y: Double) -> Double { (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) }
            let sides = (side(west, south), side(west, north), side(east, south), side(east, north))
            let isLeft = sides.0 > 0 && sides.1 > 0 && sides.2 > 0 && sides.3 > 0
            let isRight = sides.0 < 0 && sides.1 < 0 && sides.2 < 0 && sides.3 < 0
            return !isLeft && !isRight
        }
    }
}
#endif
