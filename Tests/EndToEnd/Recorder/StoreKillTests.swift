#if Command && Configuration && Store
import Foundation
import Glibc
import Taffrail
import TaffrailGeo
import TaffrailStore
import TaffrailTestSupport
import Testing

/// A log file, a recorder and a store in one program, which is killed.
@Suite(.heavy) struct StoreKillTests {
    static let rounds = ProcessInfo.processInfo.environment["TAFFRAIL_SOAK"] == nil ? 6 : 100

    private static func ship(store: String = "store/track.sqlite") throws -> Ship {
        try Ship(store: store) { ["location-store: { path: \"\($0.store)\", device: ferry }"] }
    }

    @Test func `SIGKILL loses and doubles no fix of file, recorder and store`() async throws {
        let ship = try Self.ship()
        var acknowledged: Set<String> = []
        for _ in 0..<Self.rounds {
            let program = try ship.run()
            // Some come one by one, and the last in one piece.
            let wanted = ship.lineCount + Int.random(in: 1...60)
            try await ship.send { ship.lineCount >= wanted }
            ship.send(Int.random(in: 0...300))
            for _ in 0..<Int.random(in: 0...3) { await Task.yield() }
            acknowledged.formUnion(ship.logged())
            await ship.kill(program)
        }
        try await ship.recover()
        let all = try ship.expectAllAlike()
        #expect(all.count > Self.rounds && acknowledged.subtracting(all).isEmpty)
        // A last run that ends as it should leaves one file.
        let program = try ship.run()
        try await ship.send { ship.logged().count > all.count }
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
        _ = try ship.expectAllAlike()
        #expect(try ship.sql("SELECT count(*) FROM ring") == "1\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: ship.folder.file("store"))
        #expect(!names.contains { $0.hasPrefix("track.sqlite.corrupt") }, "\(names)")
    }

    @Test func `kills while old positions are deleted lose none of the new ones, and leave nothing of the old`()
        async throws
    {
        let ship = try Ship(store: "track.sqlite") {
            ["location-store: { path: \"\($0.store)\", device: ferry, keep: { age: 3650d } }"]
        }
        // Of 1998.
        let count = 40_000
        @Sendable func latitude(_ index: Int) -> Double { 41.1234567 + Double(index % 1_000) / 10_000 }
        func old() throws -> Int {
            Int(try ship.sql("SELECT count(*) FROM point WHERE time < 1000000000000").dropLast()) ?? -1
        }
        for round in 0..<max(3, Self.rounds / 5) {
            try await blocking {
                let store = TrackStore.at(ship.store)
                try store.save(
                    (0..<count).map { index in
                        TrackPoint(
                            timestamp: Timestamp(
                                nanoseconds: Int64(900_000_000 + round * count + index) * 1_000_000_000),
                            lat: latitude(index), lon: 12.7654321, device: "old", session: "old")
                    })
                try store.close()
            }
            let before = ship.lineCount
            #expect(try old() >= count)
            let program = try ship.run()
            try await ship.send { try old() < count && ship.lineCount > before }
            await ship.kill(program)
            #expect(try ship.sql("PRAGMA integrity_check") == "ok\n")
            #expect(
                try ship.sql("SELECT ifnull(sum(points), 0) FROM block") == ship.sql("SELECT count(*) FROM point"))
        }
        try await ship.recover()
        let before = ship.lineCount
        let program = try ship.run()
        try await ship.send { try old() == 0 && ship.lineCount > before }
        program.send(SIGTERM)
        #expect(await program.wait() == 0)
        _ = try ship.expectAllAlike()
        for index in stride(from: 0, to: 1_000, by: 50) {
            #expect(try !ship.folder.hasCoordinate(latitude(index)), "\(latitude(index)) is still there")
        }
        #expect(try !ship.folder.hasCoordinate(12.7654321))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func `while the store's disk is full other sinks continue, and recovery delivers the rest`() async throws {
        let disk = try SmallDisk("3m")
        let ship = try Self.ship(store: disk.directory.file("track.sqlite"))
        let program = try ship.run()
        try await ship.send(5) { ship.lineCount >= 60 }
        #expect(await eventually { (try? ship.stored().count) ?? 0 >= 50 })
        try disk.fill()
        let full = ship.lineCount
        // The write-ahead log has some space left in its pages.
        ship.send(20_000)
        #expect(await eventually { ship.folder.text("errors").contains("cannot save positions") })
        try await ship.send(5) { ship.lineCount >= full + 500 }
        await ship.kill(program)
        try disk.free()
        try await ship.recover()
        _ = try ship.expectAllAlike()
    }

    @Test func `recovery works on the directory of a store without a log file`() async throws {
        let ship = try Self.ship()
        try ship.folder.write(
            ship.folder.text("taffrail.yaml").split(separator: "\n")
                .filter { !$0.contains("file:") && !$0.contains("recorder") }.joined(separator: "\n"),
            to: "taffrail.yaml")
        let program = try ship.run()
        try await ship.send { (try? ship.stored().count) ?? 0 > 10 }
        await ship.kill(program)
        try await ship.recover("store")
        let state = try FileManager.default.contentsOfDirectory(atPath: ship.folder.file("store/.taffrail"))
        #expect(!state.contains { $0.hasSuffix(".ring") }, "\(state)")
        #expect(try Set(ship.stored()).count == ship.stored().count)
    }
}

extension Ship {
    /// The fixes in the log file, by their times.
    fileprivate func logged() -> [String] {
        lines.compactMap { line in
            guard line.contains("\"geo.location\"") else { return nil }
            return line.firstMatch(of: /"taffrail.geo.time":"([0-9T:-]+)/).map { String($0.1) }
        }
    }

    /// Those in the store.
    fileprivate func stored() throws -> [String] {
        try sql("SELECT strftime('%Y-%m-%dT%H:%M:%S', time / 1000, 'unixepoch') FROM point ORDER BY time")
            .split(separator: "\n").map(String.init)
    }

    fileprivate func expectAllAlike() throws -> [String] {
        let logged = logged().sorted()
        #expect(Set(logged).count == logged.count)
        let recorded = try folder.events("drives").compactMap {
            $0.location.map { String("\($0.timestamp)".prefix(19)) }
        }
        #expect(recorded.sorted() == logged)
        #expect(try stored() == logged)
        #expect(try sql("PRAGMA integrity_check; SELECT count(*) FROM point WHERE seen IS NOT NULL") == "ok\n0\n")
        #expect(
            try sql("SELECT sum(points) FROM block; SELECT sum(points) FROM session")
                == "\(logged.count)\n\(logged.count)\n")
        return logged
    }
}
#endif
