#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// The shapes of closed blocks.
@Suite(.mayBlock) struct OverviewTests {
    private typealias Fix = BlockOverview.Fix

    private static func place(_ coordinate: Coordinate) -> ScaledCoordinate { ScaledCoordinate(coordinate) }

    /// A way of an hour with turns, pauses and fixes that are excluded from trips.
    private static func fixes(
        _ count: Int, from start: Coordinate, step: Double, _ generator: inout SeededGenerator
    ) -> [Fix] {
        var coordinate = start
        var bearing = 40.0
        var time: Int64 = 0
        return (0..<count).map { index in
            if index % 40 == 0 { bearing += Double.random(in: -120...120, using: &generator) }
            coordinate = Geodesy.destination(from: coordinate, bearing: bearing, distance: step)
            time += index % 100 == 99 ? 301_000 : 500
            let isExcluded = Int.random(in: 0..<20, using: &generator) == 0
            let noise = isExcluded ? 500 : Double.random(in: 0...4, using: &generator)
            let found = Geodesy.destination(
                from: coordinate, bearing: Double.random(in: 0..<360, using: &generator), distance: noise)
            return Fix(time: time, place: place(found), isExcluded: isExcluded)
        }
    }

    /// A box around a place.
    private static func box(_ place: ScaledCoordinate, _ reach: Int64) -> BlockBox {
        BlockBox(south: place.lat - reach, north: place.lat + reach, west: place.lon - reach, east: place.lon + reach)
    }

    @Test(arguments: [
        Coordinate(latitude: 55, longitude: 12), Coordinate(latitude: -33, longitude: 179.99),
        Coordinate(latitude: 78, longitude: -60), Coordinate(latitude: 89.9, longitude: 10),
        Coordinate(latitude: 0, longitude: 0),
    ])
    func `an overview misses no box in which a point lies, and is read back as it was`(start: Coordinate) throws {
        var generator = SeededGenerator(seed: 3)
        var missed = 0
        for step in [2.0, 12, 300] {
            let fixes = Self.fixes(900, from: start, step: step, &generator)
            let overview = try #require(BlockOverview(fixes))
            // At a pole every point stays.
            #expect(start.latitude > 89 || overview.vertices.count < fixes.count)
            #expect(
                overview.vertices.count { $0.isStart }
                    == [true, false].reduce(0) { sum, isExcluded in
                        sum + Self.pieces(fixes.filter { $0.isExcluded == isExcluded })
                    })
            let hour = BlockKey(device: 1, time: fixes[0].time).hour
            #expect(overview.encoded.withUnsafeBytes { BlockOverview($0, hour: hour) } == overview)
            for fix in fixes {
                for reach: Int64 in [0, 3, 100, 10_000] {
                    #expect(!overview.misses(Self.box(fix.place, reach)), "\(fix)")
                }
                // In other boxes there may be one or not.
                let other = Geodesy.destination(
                    from: fix.place.coordinate, bearing: Double.random(in: 0..<360, using: &generator), distance: 700)
                let around = Self.box(Self.place(other), 2_000)
                guard overview.misses(around) else { continue }
                missed += 1
                #expect(!fixes.contains { around.overlaps(BlockBox(lat: $0.place.lat, lon: $0.place.lon)) })
            }
        }
        // Near a pole, and near the 180th meridian, nothing is ruled out.
        #expect(abs(start.latitude) > 85 || start.longitude > 179 ? missed == 0 : missed > 500, "\(missed)")
    }

    private static func pieces(_ fixes: [Fix]) -> Int {
        zip(fixes, fixes.dropFirst()).count { $1.time - $0.time > BlockOverview.pause } + (fixes.isEmpty ? 0 : 1)
    }

    @Test func `what is no overview is none`() {
        #expect([UInt8]().withUnsafeBytes { BlockOverview($0, hour: 0) } == nil)
        #expect([UInt8](repeating: 1, count: 13).withUnsafeBytes { BlockOverview($0, hour: 0) } == nil)
        let nowhere = Fix(time: 0, place: ScaledCoordinate(lat: 9_000_000_000, lon: 0), isExcluded: false)
        #expect(BlockOverview([nowhere]) == nil)
    }

    // MARK: In a store

    private static let hour = 3_600_000_000_000 as Int64

    /// For each overview in a store, the block and whether it is that of the block's points.
    private func overviews(_ folder: TemporaryDirectory) throws -> [BlockKey: Bool] {
        let rows = try folder.sqlite(
            "SELECT device, hour, hex(line) FROM overview JOIN block ON id = block ORDER BY hour")
        if rows.isEmpty { return [:] }
        var numbers: [String: Int64] = [:]
        for row in try folder.sqlite("SELECT name, id FROM device").split(separator: "\n") {
            let columns = row.split(separator: "|")
            numbers[String(columns[0])] = Int64(columns[1])
        }
        var fixes: [BlockKey: [Fix]] = [:]
        for point in try folder.stored() {
            let time = PointKey(point).time
            fixes[BlockKey(device: numbers[point.device] ?? 0, time: time), default: []].append(
                Fix(
                    time: time, place: Self.place(point.coordinate),
                    isExcluded: !point.flags.isDisjoint(with: .excluded)))
        }
        var found: [BlockKey: Bool] = [:]
        for row in rows.split(separator: "\n").map({ $0.split(separator: "|") }) {
            let (device, hour) = (Int64(row[0]), Int64(row[1]))
            let key = BlockKey(device: try #require(device), hour: try #require(hour))
            let hex = BlockOverview(fixes[key] ?? [])?.encoded.map { String(format: "%02X", $0) }.joined()
            found[key] = hex == String(row[2])
        }
        return found
    }

    @Test func `closed hours have the overview of their points, whatever becomes of these`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.circle(0..<20_000) + Points.circle(5_000..<9_000, device: "tender"))
        #expect(try overviews(folder).isEmpty)
        try store.analyse()
        // 14:30 to 20:03 is seven hours, the last of which is not over; the tender has 15:53 to 17:00.
        var known = try overviews(folder)
        #expect(known.count == 6 + 1 && known.values.allSatisfy(\.self), "\(known)")
        // A late point changes that of its hour, and is in the next one.
        try store.save([
            TrackPoint(
                timestamp: Timestamp(nanoseconds: Points.start + 2 * Self.hour + 1), lat: 55.2, lon: 12.2,
                device: "ferry",
                session: "late")
        ])
        known = try overviews(folder)
        #expect(known.count < 7 && known.values.allSatisfy(\.self))
        try store.analyse()
        known = try overviews(folder)
        #expect(known.count == 7 && known.values.allSatisfy(\.self))
        // Nothing is left of what is purged, also in the middle of an hour.
        let cutoff = Timestamp(nanoseconds: Points.start + Self.hour)
        try store.purge(before: cutoff)
        #expect(try overviews(folder).values.allSatisfy(\.self))
        try store.analyse()
        known = try overviews(folder)
        #expect(known.count == 6 && known.values.allSatisfy(\.self), "\(known)")
        let thinned = Timestamp(nanoseconds: Points.start + 30 * Self.hour)
        #expect(try store.thin(before: thinned, tolerance: 5) > 1_000)
        #expect(try overviews(folder).values.allSatisfy(\.self))
        try store.analyse()
        known = try overviews(folder)
        #expect(known.count == 6 && known.values.allSatisfy(\.self))
        #expect(try folder.sqlite("PRAGMA integrity_check") == "ok\n")
        try store.clear()
        #expect(
            try folder.sqlite("SELECT count(*) FROM overview; SELECT count(*) FROM meta WHERE key LIKE 'thin%'")
                == "0\n0\n")
    }

    @Test func `a random history of saves, analyses and purges leaves right overviews alone`() throws {
        for seed in 0..<4 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let folder = TemporaryDirectory()
            var parts = stride(from: 0, to: 30_000, by: 500).map { $0..<$0 + 500 }
            for index in parts.indices.dropLast(8) where Bool.random(using: &generator) {
                parts.swapAt(index, index + Int.random(in: 0...8, using: &generator))
            }
            for part in parts {
                // Far away, and back: some of it is excluded from trips.
                let far = Int.random(in: 0..<5, using: &generator) == 0
                try folder.store.save(
                    Points.circle(part).enumerated().map { index, point in
                        var point = point
                        if far, index % 100 == 50 { point.lat += 0.5 }
                        if far, index % 100 == 60 { point.hAcc = 900 }
                        return point
                    })
                if Int.random(in: 0..<3, using: &generator) == 0 { try folder.store.analyse() }
                if Int.random(in: 0..<20, using: &generator) == 0 {
                    let time = Points.start + Int64.random(in: 0..<8, using: &generator) * Self.hour / 2
                    try folder.store.purge(before: Timestamp(nanoseconds: time))
                }
            }
            #expect(try overviews(folder).values.allSatisfy(\.self), "\(seed)")
            try folder.store.analyse()
            let known = try overviews(folder)
            #expect(known.count >= 4 && known.values.allSatisfy(\.self), "\(seed): \(known)")
        }
    }

    @Test func `queries find the same with overviews as without, and pass over hours that only surround a box`() throws
    {
        let folder = TemporaryDirectory()
        let points = Points.circle(0..<25_000) + Points.circle(3_000..<20_000, radius: 800, device: "tender")
        try folder.store.save(points)
        var queries: [TrackQuery] = []
        for (north, east, radius) in [(0.0, 0.0, 300.0), (0, 0, 790), (0.045, 0, 500), (0, 0.078, 300), (0.1, 0.1, 10)]
        {
            let center = Coordinate(latitude: 55 + north, longitude: 12 + east)
            var query = TrackQuery()
            query.place = NamedPlace(name: "there", center: center, radius: radius)
            queries.append(query)
            query.place = nil
            query.box = CoordinateBox(around: center, radius: radius)
            queries.append(query)
            query.device = "tender"
            query.since = Timestamp(nanoseconds: Points.start + 2 * Self.hour)
            query.isNewestFirst = true
            queries.append(query)
        }
        let before = try queries.map { try folder.stored($0).map(\.id) }
        #expect(before.contains { $0.isEmpty } && before.contains { $0.count > 100 })
        try folder.store.analyse()
        #expect(try overviews(folder).count > 8)
        #expect(try queries.map { try folder.stored($0).map(\.id) } == before)
        // That the overviews are used is seen when they are wrong.
        try folder.store.close()
        let far = BlockOverview([Fix(time: 0, place: .init(lat: 0, lon: 0), isExcluded: false)])?.encoded ?? []
        let hex = far.map { String(format: "%02X", $0) }.joined()
        _ = try Program.run([folder.file("track.sqlite"), "UPDATE overview SET line = x'\(hex)'"], of: "sqlite3")
        #expect(try folder.stored(queries[7]).count < before[7].count)
    }

    @Test(arguments: [15.0, 60])
    func `lines are within their tolerance of every point, and end at pauses`(tolerance: Double) throws {
        let folder = TemporaryDirectory()
        var points =
            Points.circle(0..<12_000) + Points.circle(12_400..<18_000)
            + Points.circle(2_000..<6_000, radius: 900, device: "tender")
        points[5_000].lat += 0.5
        try folder.store.save(points)
        try folder.store.analyse()
        let all = try folder.reader.lines(TrackQuery(), tolerance: tolerance)
        #expect(all.map(\.device) == ["ferry", "ferry", "tender"])
        #expect(all.reduce(0) { $0 + $1.vertices.count } < points.count / 20)
        #expect(all[0].vertices.first?.coordinate == points[0].rounded.coordinate)
        #expect(all[1].vertices.first?.timestamp == points[12_000].timestamp)
        #expect(all[1].vertices.last?.timestamp == points[17_599].timestamp)
        try expect(all, near: folder.stored().filter { $0.flags.isEmpty }, tolerance)
        // The jump is excluded.
        #expect(!all.contains { $0.vertices.contains { $0.coordinate.latitude > 55.3 } })

        var query = TrackQuery()
        query.device = "ferry"
        query.since = Timestamp(nanoseconds: Points.start + Self.hour / 3)
        query.until = Timestamp(nanoseconds: Points.start + 4 * Self.hour)
        let some = try folder.reader.lines(query, tolerance: tolerance)
        query.includesExcluded = false
        let wanted = try folder.stored(query)
        #expect(some.count == 2 && some[0].vertices.first?.timestamp == wanted.first?.timestamp)
        #expect(some[1].vertices.last?.timestamp == wanted.last?.timestamp)
        try expect(some, near: wanted, tolerance)
        // In a box and of a session, nothing that lies in it is missing.
        for session in [nil, "one"] {
            var query = TrackQuery()
            query.session = session
            query.box = CoordinateBox(around: Coordinate(latitude: 55, longitude: 12), radius: 1_500)
            let lines = try folder.reader.lines(query, tolerance: tolerance)
            #expect(lines.map(\.device) == ["tender"])
            try expect(lines, near: folder.stored(query), tolerance)
        }
        query.session = "another"
        #expect(try folder.reader.lines(query, tolerance: tolerance).isEmpty)
    }

    /// Checks that points of a track are near the line at their time.
    private func expect(_ lines: [TrackLine], near points: [TrackPoint], _ tolerance: Double) throws {
        for point in points.enumerated().filter({ $0.offset % 37 == 0 }).map(\.element) {
            let line = try #require(
                lines.first { line in
                    line.device == point.device && line.vertices[0].timestamp <= point.timestamp
                        && line.vertices[line.vertices.count - 1].timestamp >= point.timestamp
                }, "\(point)")
            let next = line.vertices.firstIndex { $0.timestamp >= point.timestamp } ?? 0
            let away = Straight.distance(
                point.coordinate, line.vertices[max(0, next - 1)].coordinate, line.vertices[next].coordinate,
                enough: tolerance)
            #expect(away <= tolerance, "\(away) at \(point)")
        }
    }

    @Test func `a store without overviews is read as it is, and gets them when it is written`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.circle(0..<8_000))
        try folder.store.analyse()
        let lines = try folder.reader.lines(TrackQuery(), tolerance: 50)
        try folder.store.close()
        _ = try Program.run(
            [folder.file("track.sqlite"), "DROP TABLE overview; PRAGMA user_version = 2"], of: "sqlite3")
        let raw = try folder.reader.lines(TrackQuery(), tolerance: 50)
        #expect(raw.count == 1 && lines.count == 1)
        try expect(raw, near: folder.stored(), 50)
        try folder.store.analyse()
        #expect(try folder.reader.lines(TrackQuery(), tolerance: 50) == lines)
        #expect(try overviews(folder).count == 2)
    }
}
#endif
