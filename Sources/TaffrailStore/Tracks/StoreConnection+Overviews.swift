#if Store
internal import Foundation
internal import GRDB
internal import Taffrail

extension StoreConnection {
    /// The maximum number of blocks whose overviews one transaction stores.
    private static let chunk = 8

    /// Stores the missing overviews of closed blocks of one device in one transaction, so that a writer waits no longer
    /// than that. A block is closed when points of a later hour have been analysed.
    ///
    /// - Returns: Whether there were any.
    func overviewSome() throws -> Bool {
        try transaction { db in
            for row in try Row.fetchAll(db, sql: "SELECT device, max(time) FROM analysis GROUP BY device") {
                let device: Int64 = row[0]
                let end = BlockKey(device: device, time: row[1]).hour
                let start = overviewed[device] ?? Int64.min
                guard start < end else { continue }
                let blocks = try Row.fetchAll(
                    db,
                    sql: """
                        SELECT id, hour FROM block WHERE device = ? AND hour >= ? AND hour < ?
                            AND NOT EXISTS (SELECT 1 FROM overview WHERE block = id) ORDER BY hour LIMIT ?
                        """, arguments: [device, start, end, Self.chunk])
                for block in blocks { try storeOverview(block[0], BlockKey(device: device, hour: block[1]), db) }
                overviewed[device] = blocks.count == Self.chunk ? blocks.last.map { $0[1] as Int64 &+ 1 } : end
                guard !blocks.isEmpty else { continue }
                isDirty = true
                return true
            }
            return false
        }
    }

    private func storeOverview(_ id: Int64, _ block: BlockKey, _ db: Database) throws {
        var fixes: [BlockOverview.Fix] = []
        try block.forEachFix(db) { fixes.append($0) }
        // An empty overview represents none.
        let bytes = BlockOverview(fixes)?.encoded ?? []
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO overview(block, line) VALUES(?, ?)").execute(
            arguments: [id, Data(bytes)])
    }

    /// Removes the overviews of a device in some hours: their points, or the points excluded from trips, have changed.
    func forgetOverviews(of device: Int64, in hours: ClosedRange<Int64>, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                DELETE FROM overview WHERE block IN (SELECT id FROM block WHERE device = ? AND hour >= ? AND hour <= ?)
                """
        ).execute(arguments: [device, hours.lowerBound, hours.upperBound])
        if let start = overviewed[device], start > hours.lowerBound { overviewed[device] = hours.lowerBound }
    }
}

extension BlockKey {
    /// Calls a function with each point of the block, in chronological order.
    ///
    /// - Parameter sessions: The numbers of the sessions; `nil`: all.
    func forEachFix(
        from lower: Int64 = .min, to upper: Int64 = .max, in sessions: [Int64]? = nil, _ db: Database,
        _ body: (BlockOverview.Fix) throws -> Void
    ) throws {
        let judged = TrackPoint.Flags.judged.rawValue
        try RawStatement.forEach(
            """
            SELECT time, lat, lon, flags, session FROM point WHERE time >= ? AND time < ? AND device = ? ORDER BY time, hash
            """, [max(lower, hour &* Self.length), min(upper, (hour &+ 1) &* Self.length), device], db
        ) { row in
            if let sessions, !sessions.contains(row[4]) { return }
            try body(
                BlockOverview.Fix(
                    time: row[0], place: ScaledCoordinate(lat: row[1], lon: row[2]), isJudged: row[3] & judged != 0))
        }
    }
}
#endif
