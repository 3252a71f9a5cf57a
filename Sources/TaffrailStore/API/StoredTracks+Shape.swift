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
        var points: [String: [DeviceTrack.Point]] = [:]
        for line in lines { points[line.device, default: []] += Self.points(of: line) }
        let tracks = points.sorted { $0.key < $1.key }.map {
            DeviceTrack(device: $0.key, points: $0.value, total: max($0.value.count, counts[$0.key] ?? 0))
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

extension StoreReader {
    /// Returns the number of points in the hours of a query, by device, an upper bound for the query itself. The
    /// query's session, place and limit have no effect.
    func counts(_ query: TrackQuery) throws(StoreError) -> [String: Int] {
        var sql = "SELECT d.name, sum(k.points) FROM block k JOIN device d ON d.id = k.device"
        var conditions = "k.last >= ? AND k.first < ?"
        let lower = query.since?.milliseconds() ?? Int64.min
        let upper = query.until.map { $0.milliseconds() &+ 1 } ?? Int64.max
        var arguments: StatementArguments = [lower, upper]
        if let device = query.device {
            conditions += " AND d.name = ?"
            arguments += [device]
        }
        if let boxes = query.box?.blocks {
            sql += " JOIN block_box b ON b.id = k.id"
            let overlap = "(b.north >= ? AND b.south <= ? AND b.east >= ? AND b.west <= ?)"
            conditions += " AND (" + boxes.map { _ in overlap }.joined(separator: " OR ") + ")"
            for box in boxes { arguments += [box.south, box.north, box.west, box.east] }
        }
        let text = "\(sql) WHERE \(conditions) GROUP BY d.name"
        return try read { [arguments] db in
            var counts: [String: Int] = [:]
            for row in try Row.fetchAll(db, sql: text, arguments: arguments) {
                counts[row[0]] = Int(clamping: row[1] as Int64)
            }
            return counts
        }
    }
}
#endif
