#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Visits and trips, against days whose visits and trips are known.
@Suite(.mayBlock) struct JourneyTests {
    private static let isLong = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] != nil

    private static func points(_ day: GeneratedDay, device: String = "ferry") -> [TrackPoint] {
        day.fixes.compactMap { TrackPoint($0, device: device, session: "day") }
    }

    private static func second(_ time: Timestamp) -> Double { Double(time.nanoseconds - GeneratedDay.start) / 1e9 }

    /// A fix at a second of the day, metres east of a place.
    private static func fix(
        _ second: Double, _ east: Double, _ north: Double = 0, accuracy: Double? = 5, device: String = "ferry",
        from origin: Coordinate = Coordinate(latitude: 55, longitude: 12)
    ) -> TrackPoint {
        let place = Geodesy.destination(
            from: Geodesy.destination(from: origin, bearing: 90, distance: east), bearing: 0, distance: north)
        return TrackPoint(
            timestamp: Timestamp(nanoseconds: GeneratedDay.start + Int64(second * 1e9)), lat: place.latitude,
            lon: place.longitude, hAcc: accuracy, device: device, session: "s")
    }

    /// Ten minutes at a place, ten minutes on the way east at 10 m/s, ten minutes there; a fix every five seconds.
    private static func simple(device: String = "ferry", from origin: Coordinate = .init(latitude: 55, longitude: 12))
        -> [TrackPoint]
    {
        stride(from: 0.0, through: 1_800, by: 5).map { second in
            fix(second, min(6_000, max(0, second - 600) * 10), device: device, from: origin)
        }
    }

    @Test(arguments: [1.0, 60])
    func `each visit and trip of a day is found within two minutes, and the odometer is right within one per cent`(
        interval: Double
    ) throws {
        for seed in 1...(Self.isLong ? 20 : interval == 1 ? 1 : 5) {
            let day = GeneratedDay(interval: interval, seed: UInt64(seed))
            let folder = TemporaryDirectory()
            try folder.store.save(Self.points(day))
            try folder.store.analyse()
            let journeys = try folder.reader.journeys()
            try #require(journeys.visits.count == day.visits.count, "\(seed): \(journeys.visits)")
            try #require(journeys.trips.count == day.trips.count, "\(seed): \(journeys.trips)")
            for (found, real) in zip(journeys.visits, day.visits) {
                #expect(abs(Self.second(found.arrival) - real.arrival) <= 120, "\(seed): \(found) \(real)")
                #expect(abs(Self.second(found.departure) - real.departure) <= 120, "\(seed): \(found) \(real)")
                #expect(found.center.distance(to: real.place) < 30, "\(seed): \(found) \(real)")
            }
            for (found, real) in zip(journeys.trips, day.trips) {
                #expect(abs(Self.second(found.departure) - real.departure) <= 120, "\(seed): \(found) \(real)")
                #expect(abs(Self.second(found.arrival) - real.arrival) <= 120, "\(seed): \(found) \(real)")
                #expect(found.start == .visit && found.end == .visit)
            }
            let real = day.trips.reduce(0) { $0 + $1.distance }
            #expect(abs(journeys.odometer / real - 1) <= 0.01, "\(seed): \(journeys.odometer) of \(real)")
            #expect(journeys.visits.last?.isOpen == true && journeys.visits.dropLast().allSatisfy { !$0.isOpen })
            // What jumped is flagged, and nothing is deleted.
            let stored = try folder.stored()
            #expect(stored.count == day.fixes.count)
            let jumps = stored.filter { $0.flags.contains(.jump) }.map { Self.second($0.timestamp) }
            #expect(!day.jumps.isEmpty && jumps == day.jumps, "\(seed)")
            let drift = stored.filter { $0.flags.contains(.drift) }
            #expect(interval == 60 || drift.count > 300, "\(drift.count)")
            var query = TrackQuery()
            query.includesExcluded = false
            #expect(try folder.stored(query) == stored.filter { $0.flags.isDisjoint(with: .excluded) })
        }
    }

    /// What is found and flagged, however it came.
    private struct Outcome: Equatable {
        var journeys: Journeys
        var flagged: [TrackPoint]

        init(_ folder: TemporaryDirectory) throws {
            journeys = try folder.reader.journeys()
            flagged = try folder.stored().filter { !$0.flags.isEmpty }.map { point in
                var point = point
                point.lastSeen = nil
                return point
            }
        }
    }

    private static let twoDevices = points(GeneratedDay(interval: 30)) + simple(device: "tender")

    @Test(arguments: 0..<(isLong ? 50 : 3))
    func `points that come late, in parts and in any order lead to the same`(seed: Int) throws {
        let whole = TemporaryDirectory()
        try whole.store.save(Self.twoDevices)
        try whole.store.analyse()
        let expected = try Outcome(whole)
        #expect(expected.journeys.trips.count == 5 && expected.flagged.count > 10)
        var generator = SeededGenerator(seed: UInt64(seed))
        var parts: [[TrackPoint]] = []
        var rest = Self.twoDevices[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...400, using: &generator))
            rest = rest.dropFirst(part.count)
            parts.append(Array(part))
        }
        // The first ones in order, the others not.
        let late = parts.suffix(parts.count / 2).shuffled(using: &generator)
        let folder = TemporaryDirectory()
        for part in parts.dropLast(parts.count / 2) + late {
            try folder.store.save(part)
            if Bool.random(using: &generator) { try folder.store.analyse() }
            // Readers find the same, whether it is stored or not.
            if Int.random(in: 0..<5, using: &generator) == 0 {
                let before = try folder.reader.journeys()
                try folder.store.analyse()
                #expect(try folder.reader.journeys() == before)
            }
        }
        try folder.store.analyse()
        #expect(try Outcome(folder) == expected)
        #expect(try folder.sqlite("PRAGMA integrity_check") == "ok\n")
    }

    @Test func `trips and visits never mix devices, and end on the day of each`() throws {
        let folder = TemporaryDirectory()
        let far = Coordinate(latitude: -33, longitude: 179.96)
        let both = zip(Self.simple(), Self.simple(device: "tender", from: far)).flatMap { [$0, $1] }
        try folder.store.save(both)
        let journeys = try folder.reader.journeys()
        #expect(journeys.visits.map(\.device).sorted() == ["ferry", "ferry", "tender", "tender"])
        for device in ["ferry", "tender"] {
            let trip = try #require(journeys.trips.first { $0.device == device })
            #expect(journeys.trips.count { $0.device == device } == 1)
            #expect(abs(trip.distance - 6_000) < 40 && trip.start == .visit && trip.end == .visit, "\(trip)")
        }
        // The tender has gone across the 180th meridian.
        let centers = journeys.visits.filter { $0.device == "tender" }.map(\.center.longitude)
        #expect(centers.count == 2 && centers[0] > 179.9 && centers[1] < -179.9)
        var query = TrackQuery()
        query.device = "tender"
        #expect(try folder.reader.journeys(query).trips.map(\.device) == ["tender"])
        query.box = CoordinateBox(around: Coordinate(latitude: 55, longitude: 12), radius: 1_000)
        #expect(try folder.reader.journeys(query) == Journeys())
    }

    @Test func `a gap whose ends are near is part of a visit, one whose ends are far ends a trip`() throws {
        let folder = TemporaryDirectory()
        var points = (0..<120).map { Self.fix(Double($0) * 5, Double($0) * 50) }
        // Two hours without a fix, and then 100 km away; then 40 minutes without one where it is.
        points += (0..<60).map { Self.fix(7_800 + Double($0) * 5, 106_000 + Double($0) * 50) }
        points += (0..<60).map { Self.fix(10_500 + Double($0) * 5, 109_000 + Double($0) * 50) }
        try folder.store.save(points)
        let journeys = try folder.reader.journeys()
        #expect(journeys.trips.map(\.start) == [.first, .gap, .visit])
        #expect(journeys.trips.map(\.end) == [.gap, .visit, .open])
        #expect(journeys.visits.count == 1)
        let visit = try #require(journeys.visits.first)
        #expect(visit.longestGap > .seconds(2_300) && visit.duration > .seconds(2_300), "\(visit)")
        // The gap is no way.
        #expect(abs(journeys.odometer - (5_950 + 3_000 + 2_950)) < 60, "\(journeys.odometer)")
    }

    @Test func `a walk around the block is a trip, a fix or two elsewhere are not`() throws {
        // Away and back, within ten minutes.
        func walk(_ distance: Double, _ device: String, _ accuracy: Double) -> [TrackPoint] {
            stride(from: 0.0, through: 3_600, by: 5).map { second in
                let phase = (1_200..<1_800).contains(second) ? (second - 1_200) / 600 : 0
                return Self.fix(second, distance * sin(phase * .pi), accuracy: accuracy, device: device)
            }
        }
        let folder = TemporaryDirectory()
        try folder.store.save(walk(600, "ferry", 5))
        var journeys = try folder.reader.journeys()
        #expect(journeys.visits.count == 2 && journeys.trips.count == 1, "\(journeys)")
        #expect(abs(journeys.odometer - 1_200) < 60, "\(journeys.odometer)")
        // Drift is inaccurate, and not so far.
        try folder.store.save(walk(160, "drifting", 70))
        try folder.store.analyse()
        journeys = try folder.reader.journeys()
        #expect(journeys.visits.count { $0.device == "drifting" } == 1)
        #expect(!journeys.trips.contains { $0.device == "drifting" })
        #expect(try folder.stored().contains { $0.flags.contains(.drift) && $0.device == "drifting" })
        // Fixes of a cell, kilometres away.
        try folder.store.save([Self.fix(4_000, 9_000, accuracy: 2_500, device: "drifting")])
        try folder.store.analyse()
        #expect(try folder.stored().last?.flags == .inaccurate)
    }

    @Test func `a new position to which a receiver has jumped is believed when it stays there`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save((0..<400).map { Self.fix(Double($0), $0 < 200 ? 0 : 20_000) })
        try folder.store.analyse()
        #expect(try folder.stored().allSatisfy { $0.flags.isEmpty })
        try folder.store.save((400..<420).map { Self.fix(Double($0), $0 == 410 ? 40_000 : 20_000) })
        try folder.store.analyse()
        #expect(try folder.stored().filter { $0.flags == .jump }.count == 1)
    }

    @Test func `days are those of local time, and a visit counts on each of them`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(
            Self.points(GeneratedDay(interval: 20)).map { point in
                var point = point
                point.localOffset = .seconds(3_600)
                return point
            })
        let days = try folder.reader.journeys().days(.utc)
        try #require(days.map(\.date) == ["2026-01-05", "2026-01-06"])
        #expect(days.map(\.trips) == [4, 0] && days.map(\.visits) == [5, 1])
        let total = days.reduce(Duration.zero) { $0 + $1.staying + $1.moving }
        #expect(abs(total / .seconds(3_600) - 24) < 0.1)
        #expect(abs(days[1].staying / .seconds(3_600) - 1) < 0.02)
    }

    @Test func `days are those of local time also west of Greenwich`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(
            Self.simple().map { point in
                var point = point
                point.localOffset = .seconds(-5 * 3_600)
                return point
            })
        let days = try folder.reader.journeys().days(.utc)
        #expect(days.map(\.date) == ["2026-01-04"] && days.map(\.trips) == [1] && days.map(\.visits) == [2])
    }

    @Test func `what is purged leaves no trip, nor coordinates of one`() throws {
        let folder = TemporaryDirectory()
        let points = Self.points(GeneratedDay(interval: 10))
        for start in stride(from: 0, to: points.count, by: 500) {
            try folder.store.save(Array(points[start..<min(points.count, start + 500)]))
            try folder.store.analyse()
        }
        let cutoff = Timestamp(nanoseconds: GeneratedDay.start + 12 * 3_600_000_000_000)
        try folder.store.purge(before: cutoff)
        var journeys = try folder.reader.journeys()
        #expect(
            journeys.visits.allSatisfy { $0.arrival >= cutoff } && journeys.trips.allSatisfy { $0.departure >= cutoff })
        #expect(journeys.trips.count == 3 && journeys.visits.count == 3)
        // The state of the analysis is text: two numbers after each other are a place, in either order.
        var places: Set<[Int64]> = []
        for name in ["track.sqlite", "track.sqlite-wal"] {
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let numbers = try folder.bytes(name).split { !digits.contains($0) }
                .map { Int64(String(decoding: $0, as: UTF8.self)) ?? 0 }
            for (one, two) in zip(numbers, numbers.dropFirst()) { places.formUnion([[one, two], [two, one]]) }
        }
        let newest = try #require(points.last)
        #expect(places.contains([PointRow(newest).lat, PointRow(newest).lon]))
        let left = points.filter { $0.timestamp < cutoff && places.contains([PointRow($0).lat, PointRow($0).lon]) }
        #expect(left.isEmpty, "\(left)")
        // It continues from there.
        try folder.store.analyse()
        journeys = try folder.reader.journeys()
        #expect(journeys.trips.count == 3 && journeys.visits.last?.isOpen == true)
        try folder.store.clear()
        #expect(try folder.reader.journeys() == Journeys())
        #expect(try folder.sqlite("SELECT count(*) FROM analysis; SELECT count(*) FROM trip") == "0\n0\n")
    }

    @Test func `a store of the first version is read as it is, and brought up to date when it is written`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Self.simple())
        try folder.store.close()
        _ = try Program.run(
            [
                folder.file("track.sqlite"),
                "DROP TABLE visit; DROP TABLE trip; DROP TABLE analysis; DROP TABLE overview; PRAGMA user_version = 1",
            ], of: "sqlite3")
        let before = try folder.reader.journeys()
        try #require(before.trips.count == 1 && before.visits.count == 2)
        try folder.store.analyse()
        #expect(try folder.reader.journeys() == before)
        #expect(try folder.sqlite("PRAGMA user_version; SELECT count(*) FROM analysis") == "3\n1\n")
    }

    @Test func `points of a place are those within its circle`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Self.simple())
        var query = TrackQuery()
        query.place = NamedPlace(name: "pier", center: Coordinate(latitude: 55, longitude: 12), radius: 305)
        #expect(try folder.stored(query).count == 127)
        query.limit = 3
        query.isNewestFirst = true
        #expect(try folder.reader.points(query) == [126, 125, 124].map { Self.simple()[$0].rounded })
        #expect(try folder.reader.journeys(query).visits.count == 1)
        for pole in [90.0, -90] {
            let box = CoordinateBox(around: Coordinate(latitude: pole, longitude: 7), radius: 1_000)
            #expect(box.contains(Coordinate(latitude: pole * 0.9999, longitude: -170)))
        }
        let box = CoordinateBox(around: Coordinate(latitude: 10, longitude: 179.999), radius: 1_000)
        #expect(box.contains(Coordinate(latitude: 10, longitude: -179.9999)))
    }
}
#endif
