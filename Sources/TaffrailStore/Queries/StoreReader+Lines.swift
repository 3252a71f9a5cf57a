#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension StoreReader {
    /// Returns the shape of the tracks of a query, such as for a map: no point of a track is farther from its line than
    /// a tolerance. For 20 m or more, the overviews of past hours are read instead of their points.
    ///
    /// Points that are excluded from trips are omitted. A line may extend beyond the box or the place of the query, in
    /// hours with points in it; hours without such points may be omitted. The query's limit and order have no effect.
    ///
    /// - Parameters:
    ///   - query: The query of the tracks.
    ///   - tolerance: The maximum distance of a point from its line, in metres.
    /// - Returns: Lines by device and time.
    public func lines(_ query: TrackQuery, tolerance: Double) throws(StoreError) -> [TrackLine] {
        let usesOverviews = hasOverviews && query.session == nil && tolerance >= 2 * BlockOverview.tolerance
        return try read { db in
            var lines: [TrackLine] = []
            for (number, name) in try Self.devices(query.device, db) {
                var builder = TrackLineBuilder(device: name)
                let scan = try LineScan(query, device: number, usesOverviews: usesOverviews, db)
                try scan.run(into: &builder, db)
                // The error of the overviews is part of the tolerance.
                lines += builder.simplified(usesOverviews ? tolerance - BlockOverview.tolerance : tolerance)
            }
            return lines
        }
    }
}

/// Reads the points of a device for lines, block by block.
private struct LineScan {
    private let device: Int64
    private let usesOverviews: Bool
    private let lower: Int64
    private let upper: Int64
    /// The boxes that a block must overlap, each with one or two parts.
    private let boxes: [[BlockBox]]
    /// The numbers of the session; `nil`: all.
    private let sessions: [Int64]?
    private var blocks: [(id: Int64, hour: Int64)] = []

    init(_ query: TrackQuery, device: Int64, usesOverviews: Bool, _ db: Database) throws {
        self.device = device
        self.usesOverviews = usesOverviews
        lower = query.since?.milliseconds(roundedUp: true) ?? .min
        upper = query.until?.milliseconds(roundedUp: true) ?? .max
        boxes = [query.box, query.place.map { CoordinateBox(around: $0.center, radius: $0.radius) }].compactMap {
            $0?.blocks
        }
        sessions = try query.session.map {
            try Int64.fetchAll(
                db, sql: "SELECT id FROM session WHERE name = ? AND device = ?", arguments: [$0, device])
        }
        var sql = "SELECT k.id, k.hour, b.south, b.north, b.west, b.east FROM block k JOIN block_box b ON b.id = k.id"
        sql += " WHERE k.device = ? AND k.last >= ? AND k.first < ?"
        var found: [(id: Int64, hour: Int64)] = []
        // The overlap is tested here: the number of a device's blocks is small.
        try RawStatement.forEach(sql + " ORDER BY k.hour", [device, lower, upper], db) { [boxes] row in
            let extent = BlockBox(south: row[2], north: row[3], west: row[4], east: row[5])
            guard boxes.allSatisfy({ $0.contains { $0.overlaps(extent) } }) else { return }
            found.append((row[0], row[1]))
        }
        blocks = found
    }

    func run(into builder: inout TrackLineBuilder, _ db: Database) throws {
        for block in blocks {
            let start = block.hour &* BlockKey.length
            let isWhole = start >= lower && start &+ BlockKey.length <= upper
            if isWhole, usesOverviews, try takeOverview(block.id, block.hour, into: &builder, db) { continue }
            try takePoints(block.hour, into: &builder, db)
        }
    }

    private func takePoints(_ hour: Int64, into builder: inout TrackLineBuilder, _ db: Database) throws {
        var fixes: [BlockOverview.Fix] = []
        try BlockKey(device: device, hour: hour).forEachFix(from: lower, to: upper, in: sessions, db) { fix in
            if !fix.isExcluded { fixes.append(fix) }
        }
        let isNear = boxes.allSatisfy { parts in
            fixes.contains { fix in parts.contains { $0.overlaps(BlockBox(lat: fix.place.lat, lon: fix.place.lon)) } }
        }
        guard isNear else { return }
        for fix in fixes { builder.add(fix.time, fix.place, mayPause: true) }
    }

    /// Adds the vertices of a block's overview.
    ///
    /// - Returns: Whether the block has an overview.
    private func takeOverview(
        _ id: Int64, _ hour: Int64, into builder: inout TrackLineBuilder, _ db: Database
    ) throws -> Bool {
        guard let overview = try BlockOverview.stored(id, hour: hour, db) else { return false }
        guard !boxes.contains(where: { $0.allSatisfy(overview.misses) }) else { return true }
        for vertex in overview.vertices where !vertex.isExcluded {
            builder.add(vertex.time, vertex.place, mayPause: vertex.isStart)
        }
        return true
    }
}
#endif
