#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailQuery
internal import TaffrailText

extension StoredTracks {
    /// The smallest tolerance, in metres, for which the shape of tracks is enough: the tolerance of a map at zoom 14.
    private static let coarse = 4.0

    /// Returns the tracks of a request for more positions than its effort allows, from the overviews of past hours.
    /// Speeds are computed between the remaining positions.
    ///
    /// - Returns: `nil` if there are fewer positions, or their details are requested.
    func shape(_ request: TracksRequest, _ query: TrackQuery) throws(StoreError) -> DeviceTracks? {
        guard request.tolerance >= Self.coarse else { return nil }
        let counts = try reader.counts(query)
        guard counts.values.reduce(0, +) > max(1, request.effort) else { return nil }
        var tolerance = max(2 * BlockOverview.tolerance, request.tolerance)
        var lines = try reader.lines(query, tolerance: tolerance)
        while lines.reduce(0, { $0 + $1.vertices.count }) > max(1, request.limit), tolerance <= 20_000_000 {
            // Both simplifications together stay within the next tolerance.
            lines = lines.map { $0.simplified(3 * tolerance) }
            tolerance *= 4
        }
        var points: [ExactText: [DeviceTrack.Point]] = [:]
        for line in lines { points[ExactText(line.device), default: []] += Self.points(of: line) }
        let tracks = points.sorted { $0.key < $1.key }.map {
            DeviceTrack(device: $0.key.text, points: $0.value, total: max($0.value.count, counts[$0.key] ?? 0))
        }
        return DeviceTracks(tracks: tracks, tolerance: tolerance)
    }

    private static func points(of line: TrackLine) -> [DeviceTrack.Point] {
        var last: TrackLine.Vertex?
        return line.vertices.map { vertex in
            defer { last = vertex }
            let speed = last.flatMap { last -> Double? in
                let time = Double(vertex.timestamp.nanoseconds &- last.timestamp.nanoseconds) / 1e9
                return time > 0 ? last.coordinate.distance(to: vertex.coordinate) / time : nil
            }
            return DeviceTrack.Point(time: vertex.timestamp, coordinate: vertex.coordinate, speed: speed)
        }
    }
}
#endif
