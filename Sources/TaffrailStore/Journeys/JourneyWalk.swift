#if Store
internal import GRDB

/// Reads the points of a device after a time, hour by hour.
struct JourneyWalk {
    private let device: Int64
    /// The time of the last point that has been read.
    private(set) var last: Int64
    private(set) var count = 0
    private var hours: ArraySlice<Int64>

    /// - Returns: `nil` if there are none.
    init?(_ device: Int64, after time: Int64?, _ db: Database) throws {
        self.device = device
        last = time ?? Int64.min
        hours = try Int64.fetchAll(
            try db.cachedStatement(
                sql: "SELECT hour FROM block WHERE device = ? AND last > ? ORDER BY hour LIMIT 1000"),
            arguments: [device, last])[...]
        if hours.isEmpty { return nil }
    }

    /// Reads the next hour that has points.
    ///
    /// - Returns: Whether there was one; at most a thousand hours in all.
    mutating func nextHour(_ db: Database, _ body: (JourneyFix) -> Void) throws -> Bool {
        guard let hour = hours.popFirst() else { return false }
        var isEmpty = true
        try RawStatement.forEach(
            """
            SELECT time, hash, lat, lon, hacc, speed, zone FROM point
            WHERE time > ? AND time < ? AND device = ? ORDER BY time, hash
            """, [max(last, hour &* BlockKey.length &- 1), (hour &+ 1) &* BlockKey.length, device], db
        ) { row in
            let fix = JourneyFix(
                time: row[0], hash: row[1], place: ScaledCoordinate(lat: row[2], lon: row[3]),
                accuracy: row.optionalInt(4), speed: row.optionalInt(5), zone: row.optionalInt(6))
            body(fix)
            last = fix.time
            count += 1
            isEmpty = false
        }
        // Otherwise a block without points would be read for ever.
        if isEmpty { last = max(last, (hour &+ 1) &* BlockKey.length &- 1) }
        return true
    }
}
#endif
