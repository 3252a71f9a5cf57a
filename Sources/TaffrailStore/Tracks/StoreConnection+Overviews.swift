#if Store
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
        let insertion = try RawStatement("INSERT OR REPLACE INTO overview(block, line) VALUES(?, ?)", db)
        insertion.bind(1, id)
        insertion.bind(2, blob: bytes)
        try insertion.run()
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
#endif
