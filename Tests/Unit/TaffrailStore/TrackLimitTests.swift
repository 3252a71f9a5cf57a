#if Store
import Taffrail
import TaffrailQuery
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Answers about positions that would take too long.
@Suite(.mayBlock) struct TrackLimitTests {
    @Test func `an answer that is not needed any more ends with an error`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<5_000))
        let tracks = StoredTracks(try folder.reader)
        var coarse = TracksRequest()
        (coarse.effort, coarse.tolerance) = (100, 20)
        #expect(try tracks.tracks(coarse).tracks.count == 1 && tracks.journeys(TracksRequest()).trips.count == 1)
        let start = Timestamp(nanoseconds: Points.start)
        let whole = RouteRequest([RouteRequest.Trip(device: "ferry", start: start, end: start + .days(1))])
        let budget = QueryBudget(.seconds(60))
        budget.cancel()
        for query in [
            { _ = try tracks.journeys(TracksRequest()) }, { _ = try tracks.tracks(coarse) },
            { _ = try tracks.tracks(TracksRequest()) }, { _ = try tracks.series(SeriesRequest()) },
            { _ = try tracks.route(whole) },
        ] as [() throws -> Void] {
            let error = #expect(throws: LogQueryError.self) { try budget.run { Result { try query() } }.get() }
            #expect(error?.kind == .tooLong)
        }
        #expect(try tracks.journeys(TracksRequest()).trips.count == 1)
    }

    @Test func `a late page of points ends an answer, which keeps the pages before`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<10_000))
        let reader = try folder.reader
        var query = TrackQuery()
        (query.limit, query.isNewestFirst) = (nil, true)
        let budget = QueryBudget(.seconds(3_600))
        var count = 0
        let isWhole = try budget.run {
            Result {
                try reader.forEachInTime(query) { _ in
                    count += 1
                    // The last one of a page: the next page is interrupted.
                    if count == 4_096 { budget.cancel() }
                }
            }
        }.get()
        #expect(!isWhole && count == 4_096)
        count = 0
        #expect(try reader.forEachInTime(query) { _ in count += 1 } && count == 10_000)
    }

    @Test func `some long answers do not delay others, and waiting for them is limited`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<1_000))
        let reader = try folder.reader
        let tracks = StoredTracks(reader)
        // Two of three connections are in use.
        let count = try reader.read { _ in
            try reader.read { _ in try tracks.journeys(TracksRequest()).trips.count }
        }
        #expect(count == 1)
        var error: LogQueryError?
        try reader.read { _ in
            try reader.read { _ in
                try reader.read { _ in
                    error = #expect(throws: LogQueryError.self) {
                        try QueryBudget(.zero).run { Result { try tracks.journeys(TracksRequest()) } }.get()
                    }
                }
            }
        }
        #expect(error?.kind == .unavailable)
    }

    @Test func `visits and trips of a time are those that overlap it`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        let points = GeneratedDay(interval: 30).fixes.compactMap { TrackPoint($0, device: "ferry", session: "day") }
        try store.save(points.dropLast(points.count / 4))
        try store.analyse()
        // The rest is not stored yet.
        try store.save(points.suffix(points.count / 4))
        let all = try folder.reader.journeys()
        try #require(all.trips.count > 2 && all.visits.count > 2)
        let times = (all.visits.map { ($0.arrival, $0.departure) } + all.trips.map { ($0.departure, $0.arrival) })
            .flatMap { [$0.0, $0.1] }
        for time in times {
            for shift in [-1, 0, 1] as [Int64] {
                let bound = Timestamp(nanoseconds: time.nanoseconds + shift)
                var query = TrackQuery()
                query.since = bound
                let later = try folder.reader.journeys(query)
                #expect(later.visits == all.visits.filter { $0.departure >= bound })
                #expect(later.trips == all.trips.filter { $0.arrival >= bound })
                query = TrackQuery()
                query.until = bound
                let earlier = try folder.reader.journeys(query)
                #expect(earlier.visits == all.visits.filter { $0.arrival < bound })
                #expect(earlier.trips == all.trips.filter { $0.departure < bound })
            }
        }
    }
}
#endif
