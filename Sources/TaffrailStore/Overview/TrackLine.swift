#if Store
public import Taffrail
public import TaffrailGeo
internal import TaffrailTracks

/// A part of a device's track without a pause, with only the points that its shape needs.
public struct TrackLine: Sendable, Hashable {
    /// A point of a line.
    public struct Vertex: Sendable, Hashable {
        /// Its time, to the millisecond.
        public var timestamp: Timestamp
        /// Its coordinates.
        public var coordinate: Coordinate
    }

    /// The device that moved.
    public var device: String
    /// The points, in the order of time.
    public var vertices: [Vertex]

    /// Returns the line with only the points that its shape needs within a tolerance in metres.
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

/// Joins the points of one device into lines.
struct TrackLineBuilder {
    private let device: String
    private var lines: [[(time: Int64, place: ScaledCoordinate)]] = []

    init(device: String) { self.device = device }

    /// Adds the next point.
    ///
    /// - Parameter mayPause: Whether a line ends where the time between two points is a pause; a line that is already
    ///   simplified does not have to.
    mutating func add(_ time: Int64, _ place: ScaledCoordinate, mayPause: Bool) {
        if let last = lines.last?.last, !mayPause || time &- last.time <= BlockOverview.pause {
            lines[lines.count - 1].append((time, place))
        } else {
            lines.append([(time, place)])
        }
    }

    /// Returns the lines, simplified by a tolerance in metres.
    func simplified(_ tolerance: Double) -> [TrackLine] {
        lines.map { line in
            let kept = TrackSimplification.indices(line.map(\.place.coordinate), tolerance: tolerance)
            return TrackLine(
                device: device,
                vertices: kept.map { index in
                    TrackLine.Vertex(
                        timestamp: Timestamp(nanoseconds: line[index].time &* 1_000_000),
                        coordinate: line[index].place.coordinate)
                })
        }
    }
}
#endif
