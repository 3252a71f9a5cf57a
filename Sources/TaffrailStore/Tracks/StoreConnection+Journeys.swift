#if Store
internal import GRDB
internal import Taffrail

extension StoreConnection {
    /// The maximum number of points in one transaction of an analysis, unless a single hour contains more.
    private static let chunk = 20_000

    /// Divides points of one device that have arrived since the last call into visits and trips, in one transaction, so
    /// that a writer waits no longer than that.
    ///
    /// - Returns: Whether there were any.
    func analyseSome() throws -> Bool {
        try transaction { db in
            for device in try Int64.fetchAll(db, sql: "SELECT id FROM device ORDER BY id") {
                let known = try AnalysisMark.newest(of: device, db)
                guard var walk = try JourneyWalk(device, after: known?.time, db) else { continue }
                var analysis = try known?.analysis() ?? JourneyAnalysis()
                var findings = JourneyFindings()
                while walk.count < Self.chunk,
                    try walk.nextHour(db, { analysis.take($0, into: &findings) })
                {}
                try keep(findings, device, at: walk.last, db)
                try AnalysisMark(device: device, time: walk.last, analysis).store(db)
                isDirty = true
                return true
            }
            return false
        }
    }

    /// Undoes the results for a device's points from a time on, and removes the overviews that depend on them.
    func undoAnalysis(of device: Int64, from time: Int64, _ db: Database) throws {
        guard let undone = try AnalysisMark.undo(of: device, from: time, db) else { return }
        let hours = ([undone.start] + undone.earlier).map { BlockKey(device: device, time: $0).hour }
        try forgetOverviews(of: device, in: hours[0]...Int64.max, db)
        for hour in Set(hours) { try forgetOverviews(of: device, in: hour...hour, db) }
    }

    private func keep(_ findings: JourneyFindings, _ device: Int64, at time: Int64, _ db: Database) throws {
        for visit in findings.visits {
            try db.cachedStatement(
                sql: """
                    INSERT INTO visit(device, arrival, departure, lat, lon, points, gap, zone, found)
                    VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                device, visit.arrival, visit.departure, visit.center.lat, visit.center.lon, visit.points,
                visit.longestGap, visit.zone, time,
            ])
        }
        for trip in findings.trips {
            try db.cachedStatement(
                sql: """
                    INSERT INTO trip(device, departure, arrival, from_lat, from_lon, to_lat, to_lon, distance, start, "end",
                        points, left_out, gap, zone, found)
                    VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                device, trip.departure, trip.arrival, trip.from.lat, trip.from.lon, trip.to.lat, trip.to.lon,
                Int64((trip.distance * 100).rounded()), trip.start.rawValue, trip.end.rawValue, trip.points,
                trip.omittedFixes, trip.longestGap, trip.zone, time,
            ])
        }
        for block in Set(findings.excluded.map { BlockKey(device: device, time: $0.fix.time) }) {
            try forgetOverviews(of: device, in: block.hour...block.hour, db)
        }
        for (fix, reason) in findings.excluded {
            try db.cachedStatement(sql: "UPDATE point SET flags = flags | ? WHERE time = ? AND hash = ?").execute(
                arguments: [reason.rawValue, fix.time, fix.hash])
        }
    }
}
#endif
