#if Store
import Foundation
import Taffrail
import TaffrailTestSupport
import Testing

@testable import TaffrailGeo
@testable import TaffrailStore

@Suite(.mayBlock) struct PersistenceServiceTests {
    private static let now = Timestamp(nanoseconds: Points.start + 100 * 86_400 * 1_000_000_000)

    private static func service(
        _ folder: TemporaryDirectory, policy: PersistenceService.Policy = .init(),
        scheduler: BackgroundTaskScheduler = .shared
    ) -> PersistenceService {
        PersistenceService(container: folder.store, policy: policy, scheduler: scheduler, clock: { now })
    }

    /// A fix some days ago.
    private static func location(daysAgo days: Double, latitude: Double = 55.6761) -> Location {
        Location(
            latitude: latitude, longitude: 12.5683,
            timestamp: Timestamp(nanoseconds: now.nanoseconds - Int64(days * 86_400e9)))
    }

    @Test func `it saves, fetches the newest hundred, counts, and knows the oldest and the newest`() throws {
        let folder = TemporaryDirectory()
        let service = Self.service(folder)
        #expect(service.fetch() == [] && service.getTotalCount() == 0 && service.getOldestRecord() == nil)
        #expect(folder.names == [])
        for index in 0..<120 { #expect(service.save(trackPoint: Self.location(daysAgo: Double(index) / 100))) }
        #expect(service.getTotalCount() == 120)
        #expect(service.fetch().count == 100 && service.fetch(limit: 3).count == 3 && service.fetch(limit: -1) == [])
        #expect(service.fetch().first?.timestamp == Self.now)
        #expect(service.getNewestRecord() == service.fetch().first)
        #expect(service.getOldestRecord()?.timestamp == Self.location(daysAgo: 1.19).timestamp)
        #expect(!service.save(trackPoint: Location(latitude: .nan, longitude: 0)))
    }

    @Test func `a failed save returns false, and a failed read returns nothing`() throws {
        let folder = TemporaryDirectory()
        try folder.write("in the way", to: "file")
        let service = PersistenceService(container: TrackStore.at(folder.file("file/track.sqlite")))
        #expect(!service.save(trackPoint: Self.location(daysAgo: 0)))
        #expect(service.getTotalCount() == 0 && service.fetch() == [] && service.deleteAll())
    }

    @Test func `from a thousand points on a save deletes points older than thirty days, and no others`() throws {
        let folder = TemporaryDirectory()
        let service = Self.service(folder)
        for index in 0..<500 { service.save(trackPoint: Self.location(daysAgo: 31 + Double(index) / 100)) }
        for index in 0..<500 { service.save(trackPoint: Self.location(daysAgo: 29 - Double(index) / 100)) }
        #expect(service.getTotalCount() == 1_000)
        service.save(trackPoint: Self.location(daysAgo: 0))
        #expect(service.getTotalCount() == 501)
        #expect(try folder.sqlite("PRAGMA integrity_check") == "ok\n")
        var policy = PersistenceService.Policy()
        policy.purgeAbove = nil
        #expect(Self.service(folder, policy: policy).save(trackPoint: Self.location(daysAgo: 90)))
        #expect(service.getTotalCount() == 502)
    }

    @Test func `a clock that was ahead does not put the next purge off`() throws {
        let folder = TemporaryDirectory()
        let clock = Locked(Self.now)
        var policy = PersistenceService.Policy()
        policy.purgeAbove = 2
        let service = PersistenceService(container: folder.store, policy: policy, clock: { clock.withLock { $0 } })
        for days in [1.0, 2, 3] { service.save(trackPoint: Self.location(daysAgo: days)) }
        // Ahead by ten days: nothing is too old yet.
        clock.withLock { $0 = Timestamp(nanoseconds: Self.now.nanoseconds + 10 * 86_400_000_000_000) }
        service.save(trackPoint: Self.location(daysAgo: 4))
        clock.withLock { $0 = Self.now }
        #expect(service.getTotalCount() == 4)
        service.save(trackPoint: Self.location(daysAgo: 40))
        #expect(service.getTotalCount() == 4)
    }

    @Test func `purged and deleted points are in neither the database nor its log`() throws {
        let folder = TemporaryDirectory()
        let service = Self.service(folder)
        let old = (0..<3_000).map { index in
            TrackPoint(
                Self.location(daysAgo: 40 + Double(index) / 1_000, latitude: 41.1234567 + Double(index) * 1e-5),
                session: "s")
        }
        let young = (0..<3_000).map { index in
            TrackPoint(
                Self.location(daysAgo: 20 - Double(index) / 1_000, latitude: 61.1234567 + Double(index) * 1e-5),
                session: "s")
        }
        // Mixed, so that both are in every part of the table that has been split and joined.
        for index in stride(from: 0, to: 3_000, by: 100) {
            try folder.store.save((old + young)[index..<index + 100].compactMap(\.self))
            try folder.store.save(young[index..<index + 100].compactMap(\.self))
        }
        // The shapes of hours and the state of the analysis have coordinates too.
        try service.container.analyse()
        try service.container.flush()
        #expect(try folder.hasCoordinate(41.1234567))
        #expect(try Int(folder.sqlite("SELECT count(*) FROM overview").dropLast()) ?? 0 > 10)
        #expect(service.purge(olderThan: 30) == 3_000)
        for point in old.compactMap(\.self) {
            #expect(try !folder.hasCoordinate(point.lat), "\(point.lat)")
        }
        #expect(service.getTotalCount() == 3_000)
        #expect(try folder.sqlite("SELECT sum(points) FROM block; SELECT sum(points) FROM session") == "3000\n3000\n")
        #expect(service.deleteAll())
        for point in young.compactMap(\.self) where try folder.hasCoordinate(point.lat) {
            Issue.record("\(point.lat) is still there")
        }
        #expect(service.getTotalCount() == 0)
        #expect(try folder.sqlite("PRAGMA integrity_check; SELECT count(*) FROM block_box") == "ok\n0\n")
    }

    @Test func `blocks and sessions add up after a purge within an hour`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<5_000) + Points.line(1_000..<1_010, device: "tender", session: "two"))
        let cutoff = Timestamp(nanoseconds: Points.start + 4_000 * 1_000_000_000)
        #expect(try folder.store.purge(before: cutoff) == 4_010)
        #expect(try folder.stored().map(\.timestamp) == Points.line(4_000..<5_000).map(\.timestamp))
        #expect(
            try folder.sqlite("SELECT sum(points), min(first) FROM block") == "1000|\(cutoff.nanoseconds / 1_000_000)\n"
        )
        #expect(
            try folder.sqlite("SELECT name, points, first FROM session")
                == "one|1000|\(cutoff.nanoseconds / 1_000_000)\n")
        var query = TrackQuery()
        query.device = "tender"
        #expect(try folder.stored(query) == [])
        // Names are created again after a purge.
        try folder.store.save(Points.line(6_000..<6_001, device: "tender", session: "two"))
        #expect(try folder.stored(query).count == 1)
    }
}
#endif
