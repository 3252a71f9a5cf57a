#if Store
import Foundation
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import Testing

@testable import TaffrailStore

/// Deleting a range of time, or the points of a device.
@Suite(.mayBlock) struct StoreRemovalTests {
    private func time(_ second: Int) -> Timestamp {
        Timestamp(nanoseconds: Points.start + Int64(second) * 1_000_000_000)
    }

    /// What the tables have beside the points, as it would be without those that were deleted.
    private static let derived = """
        SELECT device, hour, points, first, last FROM block ORDER BY 1, 2;
        SELECT id IN (SELECT id FROM block), south, north, west, east FROM block_box ORDER BY 2, 3, 4, 5;
        SELECT name, device, points, first, last FROM session ORDER BY 1, 2;
        SELECT device, arrival, departure, points FROM visit ORDER BY 1, 2;
        SELECT device, departure, arrival, points FROM trip ORDER BY 1, 2;
        """

    @Test func `the points of a device and a time are deleted, and nothing of others`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<9_000) + Points.line(0..<9_000, device: "tender", session: "two"))
        try store.analyse()
        #expect(try store.purge(since: time(2_000), until: time(6_000), device: "ferry") == 4_000)
        let left = try folder.stored()
        #expect(left.count { $0.device == "tender" } == 9_000)
        #expect(
            left.filter { $0.device == "ferry" }.map(\.timestamp)
                == Points.line(0..<2_000).map(\.timestamp) + Points.line(6_000..<9_000).map(\.timestamp))
        #expect(try store.purge(since: time(2_000), until: time(6_000), device: "ferry") == 0)
        #expect(try store.purge(since: nil, until: time(9_000), device: "nobody") == 0)
        #expect(try store.purge(since: time(5), until: time(5), device: nil) == 0)
        // Of all devices.
        #expect(try store.purge(since: time(8_000), until: time(9_000), device: nil) == 2_000)
        #expect(try folder.reader.newest()?.timestamp == time(7_999))
        #expect(try store.purge(since: nil, until: time(9_000), device: "tender") == 8_000)
        #expect(try folder.reader.devices() == ["ferry"])
        #expect(try folder.sqlite("PRAGMA integrity_check") == "ok\n")
    }

    @Test func `blocks, sessions, visits and trips are as if the points had never been there`() throws {
        let folder = TemporaryDirectory()
        let day = GeneratedDay(interval: 10, seed: 3)
        let points = day.fixes.compactMap { TrackPoint($0, device: "ferry", session: "day") }
        let store = folder.store
        try store.save(points)
        try store.analyse()
        let trip = try #require(try folder.reader.journeys().trips.dropFirst().first)
        let (since, until) = (trip.departure, Timestamp(nanoseconds: trip.arrival.nanoseconds + 1_000_000))
        let deleted = try store.purge(since: since, until: until, device: "ferry")
        #expect(deleted > 0)
        try store.analyse()
        let other = TrackStore.at(folder.file("other.sqlite"))
        try other.save(points.filter { !($0.timestamp >= since && $0.timestamp < until) })
        try other.analyse()
        #expect(try folder.sqlite(Self.derived) == folder.sqlite(Self.derived, "other.sqlite"))
        // What remains there, from one visit to the next, is mostly a gap.
        let rest = try folder.reader.journeys().trips.filter { $0.departure < until && $0.arrival > since }
        let deletedTime = Duration.nanoseconds(until.nanoseconds - since.nanoseconds)
        #expect(rest.allSatisfy { $0.longestGap * 10 >= deletedTime * 8 }, "\(rest)")
        try store.close()
        try other.close()
    }

    @Test func `a deletion that finds nothing does not hide the next points of a run with repeated ones`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<1))
        // As by a sender whose receiver was killed before it answered.
        #expect(try store.save(Points.line(0..<1, session: "two")).repeated == 1)
        #expect(try store.purge(since: time(10), until: time(20), device: nil) == 0)
        try store.save(Points.line(1..<3, session: "two"))
        try store.save(Points.line(3..<4, session: "three"))
        #expect(try folder.stored().map(\.session) == ["one", "two", "two", "three"])
        #expect(try folder.reader.sessions().map(\.points) == [1, 2, 1])
    }

    @Test func `the process that writes deletes a trip on command`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<100) + Points.line(0..<100, device: "tender"))
        func argument(_ name: String, _ second: Int) -> LogValueEntry {
            LogValueEntry(name, .string("\(time(second).nanoseconds)"))
        }
        let command = ControlCommand(
            "purge", [argument("since", 10), argument("before", 20), LogValueEntry("device", "tender")])
        #expect(try store.execute(command)["purged"] == 10)
        #expect(try store.execute(ControlCommand("status"))["holds"] == "positions")
        #expect(throws: OptionError.self) {
            try store.execute(ControlCommand("purge", [argument("since", 10)]))
        }
        #expect(throws: OptionError.self) {
            try store.execute(ControlCommand("purge", [argument("before", 10), LogValueEntry("since", "soon")]))
        }
    }
}
#endif
