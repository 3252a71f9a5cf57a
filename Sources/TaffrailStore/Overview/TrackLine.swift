#if Store
public import Taffrail
public import TaffrailGeo
internal import TaffrailTracks

/// A part of a device's track without a pause, with only the points that its shape requires.
public struct TrackLine: Sendable, Hashable {
    /// A point of a line.
    public struct Vertex: Sendable, Hashable {
        /// The time, to the millisecond.
        public var timestamp: Timestamp
        /// The coordinates.
        public var coordinate: Coordinate
    }

    /// The device that moved.
    public var device: String
    /// The points, in chronological order.
    public var vertices: [Vertex]

    /// Returns the line with only the points that its shape requires within a tolerance in metres.
    func simplified(_ tolerance: Double) -> TrackLine {
        let kept = TrackSimplification.indices(vertices.map(\.coordinate), tolerance: tolerance)
        return TrackLine(device: device, vertices: kept.map { vertices[$0] })
    }
}

extension TrackPoint {
    /// Creates a point of a line, whose other properties are unknown.
    package init(_ vertex: TrackLine.Vertex, device: String) {
        self.init(
            timestamp: vertex.timestamp, lat: vertex.coordinate.latitude, lon: vertex.coordinate.longitude,
            device: device, session: "")
    }
}
#endif
