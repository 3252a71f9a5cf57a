#if Store
internal import Taffrail
internal import TaffrailTracks

/// Joins the points of one device into lines.
struct TrackLineBuilder {
    private let device: String
    private var lines: [[(time: Int64, place: ScaledCoordinate)]] = []

    init(device: String) { self.device = device }

    /// Adds the next point.
    ///
    /// - Parameter mayPause: Whether a pause between two points ends a line. In a line that is already simplified, the
    ///   time between points may be longer without a pause.
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
