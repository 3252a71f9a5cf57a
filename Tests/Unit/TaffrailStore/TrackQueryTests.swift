#if Store
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

@Suite(.mayBlock) struct TrackQueryTests {
    /// A ferry and a tender for three hours, with late points, in sessions.
    private func filled() throws -> (TemporaryDirectory, [TrackPoint]) {
        let folder = TemporaryDirectory()
        let ferry = Points.line(0..<10_800)
        var tender = Points.line(1_000..<2_000, device: "tender", session: "two")
        for index in tender.indices { tender[index].lon = -179.9 + Double(index % 400) * 1e-3 }
        for index in stride(from: 1, to: tender.count, by: 2) { tender[index].lon = 179.95 }
        // The later half is saved first.
        try folder.store.save(Array(ferry[5_000...]))
        try folder.store.save(tender)
        try folder.store.save(Array(ferry[..<5_000]))
        let all = (ferry + tender).map(\.rounded).sorted { PointKey($0) < PointKey($1) }
        return (folder, all)
    }

    private func query(_ change: (inout TrackQuery) -> Void) -> TrackQuery {
        var query = TrackQuery()
        change(&query)
        return query
    }

    private func time(_ second: Int) -> Timestamp {
        Timestamp(nanoseconds: Points.start + Int64(second) * 1_000_000_000)
    }

    @Test func `every query finds the same points as a full scan`() throws {
        let (folder, all) = try filled()
        #expect(try folder.stored() == all)
        let reader = try folder.reader
        let across = CoordinateBox(
            southWest: Coordinate(latitude: 55, longitude: 179.9),
            northEast: Coordinate(latitude: 56, longitude: -179.8))
        let middle = CoordinateBox(
            southWest: Coordinate(latitude: 55.04, longitude: 11), northEast: Coordinate(latitude: 55.06, longitude: 13)
        )
        let cases: [(TrackQuery, (TrackPoint) -> Bool)] = [
            (query { $0.since = time(4_000) }, { $0.timestamp >= time(4_000) }),
            (query { $0.until = time(4_000) }, { $0.timestamp < time(4_000) }),
            (query { $0.device = "tender" }, { $0.device == "tender" }),
            (query { $0.device = "nobody's" }, { _ in false }),
            (query { $0.session = "one" }, { $0.session == "one" }),
            (query { $0.session = "none" }, { _ in false }),
            (query { $0.box = middle }, { (55.04...55.06).contains($0.lat) && (11...13).contains($0.lon) }),
            (query { $0.box = across }, { $0.lon >= 179.9 || $0.lon <= -179.8 }),
            (
                query { (query: inout TrackQuery) in
                    query.box = middle
                    query.device = "ferry"
                    query.session = "one"
                    query.since = time(4_500)
                    query.until = time(5_500)
                },
                {
                    (55.04...55.06).contains($0.lat) && $0.device == "ferry" && $0.timestamp >= time(4_500)
                        && $0.timestamp < time(5_500)
                }
            ),
        ]
        for (query, isWanted) in cases {
            let wanted = all.filter(isWanted)
            #expect(try folder.stored(query) == wanted, "\(query)")
            var limited = query
            limited.limit = 7
            #expect(try reader.points(limited) == Array(wanted.prefix(7)))
            limited.isNewestFirst = true
            #expect(try reader.points(limited) == wanted.reversed().prefix(7).map(\.self))
            limited.limit = nil
            #expect(try folder.stored(limited) == wanted.reversed())
        }
        #expect(try reader.count() == all.count)
        #expect(try reader.oldest() == all.first && reader.newest() == all.last)
    }

    @Test func `blocks and sessions add up to the points, also after late ones`() throws {
        let (folder, _) = try filled()
        let differences = """
            SELECT count(*) FROM block k WHERE points <> (SELECT count(*) FROM point p WHERE p.device = k.device
                AND p.time >= k.hour * 3600000 AND p.time < (k.hour + 1) * 3600000)
              OR first <> (SELECT min(time) FROM point p WHERE p.device = k.device AND p.time / 3600000 = k.hour)
              OR last <> (SELECT max(time) FROM point p WHERE p.device = k.device AND p.time / 3600000 = k.hour)
            """
        #expect(try folder.sqlite(differences) == "0\n")
        let outside = """
            SELECT count(*) FROM point p JOIN block k ON k.device = p.device AND k.hour = p.time / 3600000
            JOIN block_box b ON b.id = k.id
            WHERE p.lat < b.south OR p.lat > b.north OR p.lon < b.west OR p.lon > b.east
            """
        #expect(try folder.sqlite(outside) == "0\n")
        #expect(try folder.sqlite("SELECT name, points FROM session ORDER BY name") == "one|10800\ntwo|1000\n")
    }
}
#endif
