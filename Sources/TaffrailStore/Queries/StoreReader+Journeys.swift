#if Store
internal import GRDB
internal import Taffrail
internal import TaffrailGeo
internal import TaffrailText

extension StoreReader {
    /// Returns the visits and trips of a query: those of its device that overlap its time, and are, begin or end in its
    /// box. Its session and its limit have no effect. Points that have not been analysed yet are analysed in memory.
    public func journeys(_ query: TrackQuery = TrackQuery()) throws(StoreError) -> Journeys {
        try read { db in
            var journeys = Journeys()
            for (number, name) in try Self.devices(query.device, db) {
                let findings = try Self.findings(number, query, isStored: hasJourneys, db)
                journeys.visits += findings.visits.map { PlaceVisit($0, device: name) }
                journeys.trips += findings.trips.map { Trip($0, device: name) }
            }
            journeys.restrict(to: query)
            journeys.visits.sort { ($0.arrival, $0.device) < ($1.arrival, $1.device) }
            journeys.trips.sort { ($0.departure, $0.device) < ($1.departure, $1.device) }
            return journeys
        }
    }

    /// Returns the stored visits and trips of a device in the time of a query, and those that its last points add.
    private static func findings(
        _ device: Int64, _ query: TrackQuery, isStored: Bool, _ db: Database
    ) throws -> JourneyFindings {
        var findings = JourneyFindings()
        var analysis = JourneyAnalysis()
        var time: Int64?
        if isStored {
            let mark = try AnalysisMark.newest(of: device, db)
            time = mark?.time
            if let mark { analysis = try mark.analysis() }
            let arguments: StatementArguments = [
                device, query.since?.milliseconds() ?? .min, query.until?.milliseconds(roundedUp: true) ?? .max,
            ]
            findings.visits = try Row.fetchAll(
                db,
                sql: """
                    SELECT arrival, departure, lat, lon, points, gap, zone FROM visit
                    WHERE device = ? AND departure >= ? AND arrival < ? ORDER BY arrival
                    """, arguments: arguments
            ).map(VisitRow.init)
            findings.trips = try Row.fetchAll(
                db,
                sql: """
                    SELECT departure, arrival, from_lat, from_lon, to_lat, to_lon, distance, start, "end", points, left_out, gap,
                        zone FROM trip WHERE device = ? AND arrival >= ? AND departure < ? ORDER BY departure
                    """, arguments: arguments
            ).compactMap(TripRow.init)
        }
        while var walk = try JourneyWalk(device, after: time, db) {
            while try walk.nextHour(db, { analysis.take($0, into: &findings) }) { findings.excluded = [] }
            time = walk.last
        }
        let open = analysis.open
        if let visit = open.visit { findings.visits.append(visit) }
        if let trip = open.trip { findings.trips.append(trip) }
        return findings
    }
}

extension Journeys {
    fileprivate mutating func restrict(to query: TrackQuery) {
        let (since, until) = (query.since, query.until)
        func overlaps(_ start: Timestamp, _ end: Timestamp) -> Bool {
            if let since, end < since { return false }
            if let until, start >= until { return false }
            return true
        }
        visits.removeAll { !overlaps($0.arrival, $0.departure) }
        trips.removeAll { !overlaps($0.departure, $0.arrival) }
        if let place = query.place {
            func isNear(_ coordinate: Coordinate) -> Bool { place.center.distance(to: coordinate) <= place.radius }
            visits.removeAll { !isNear($0.center) }
            trips.removeAll { !isNear($0.from) && !isNear($0.to) }
        }
        guard let box = query.box else { return }
        visits.removeAll { !box.contains($0.center) }
        trips.removeAll { !box.contains($0.from) && !box.contains($0.to) }
    }
}

extension PlaceVisit {
    init(_ row: VisitRow, device: String) {
        self.init(
            device: device, center: row.center.coordinate, arrival: .milliseconds(row.arrival),
            departure: .milliseconds(row.departure), isOpen: row.isOpen, points: Int(clamping: row.points),
            longestGap: .milliseconds(row.longestGap), localOffset: row.zone.map { .seconds($0 &* 60) })
    }
}

extension Trip {
    init(_ row: TripRow, device: String) {
        self.init(
            device: device, from: row.from.coordinate, to: row.to.coordinate, departure: .milliseconds(row.departure),
            arrival: .milliseconds(row.arrival), distance: row.distance, start: row.start, end: row.end,
            points: Int(clamping: row.points), omittedFixes: Int(clamping: row.omittedFixes),
            longestGap: .milliseconds(row.longestGap), localOffset: row.zone.map { .seconds($0 &* 60) })
    }
}

extension Timestamp {
    fileprivate static func milliseconds(_ value: Int64) -> Timestamp { Timestamp(nanoseconds: value &* 1_000_000) }
}

extension VisitRow {
    fileprivate init(_ row: Row) {
        self.init(
            arrival: row[0], departure: row[1], center: ScaledCoordinate(lat: row[2], lon: row[3]), points: row[4],
            longestGap: row[5], zone: row[6])
    }
}

extension TripRow {
    fileprivate init?(_ row: Row) {
        guard let start = Trip.Start(rawValue: row[7]), let end = Trip.End(rawValue: row[8]) else { return nil }
        self.init(
            departure: row[0], arrival: row[1], from: ScaledCoordinate(lat: row[2], lon: row[3]),
            to: ScaledCoordinate(lat: row[4], lon: row[5]), distance: Double(row[6] as Int64) / 100, start: start,
            end: end,
            points: row[9], omittedFixes: row[10], longestGap: row[11], zone: row[12])
    }
}
#endif
