#if Store
internal import GRDB

extension BlockKey {
    /// Calls a function with each point of the block, in chronological order.
    ///
    /// - Parameter sessions: The numbers of the sessions; `nil`: all.
    func forEachFix(
        from lower: Int64 = .min, to upper: Int64 = .max, in sessions: [Int64]? = nil, _ db: Database,
        _ body: (BlockOverview.Fix) throws -> Void
    ) throws {
        let excluded = TrackPoint.Flags.excluded.rawValue
        try RawStatement.forEach(
            """
            SELECT time, lat, lon, flags, session FROM point WHERE time >= ? AND time < ? AND device = ? ORDER BY time, hash
            """, [max(lower, hour &* Self.length), min(upper, (hour &+ 1) &* Self.length), device], db
        ) { row in
            if let sessions, !sessions.contains(row[4]) { return }
            try body(
                BlockOverview.Fix(
                    time: row[0], place: ScaledCoordinate(lat: row[1], lon: row[2]), isExcluded: row[3] & excluded != 0)
            )
        }
    }
}
#endif
