#if Store
import Foundation
import GRDB
import Taffrail
import TaffrailGeo
import TaffrailTestSupport
import TaffrailTesting
import TaffrailTracks
import Testing

@testable import TaffrailStore

@Suite(.mayBlock) struct StoreMaintenanceTests {
    private func time(_ second: Int) -> Timestamp {
        Timestamp(nanoseconds: Points.start + Int64(second) * 1_000_000_000)
    }

    @Test func `a retention keeps the newest points by age, number and size`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<20_000))
        var retention = TrackRetention()
        #expect(retention.keepsAll)
        #expect(try store.maintain(retention) == 0)
        retention.age = .seconds(15_000)
        #expect(try store.maintain(retention, now: time(20_000)) == 5_000)
        retention = TrackRetention()
        retention.rows = 10_001
        #expect(try store.maintain(retention) == 4_999)
        #expect(try folder.stored().map(\.timestamp) == Points.line(9_999..<20_000).map(\.timestamp))
        #expect(try store.maintain(retention) == 0)
        try store.close()
        retention = TrackRetention()
        retention.size = .bytes(Int(StoreFile(path: store.path, kind: .positions).size) / 2)
        let deleted = try store.maintain(retention)
        #expect((4_000...6_000).contains(deleted))
        try store.close()
        #expect(StoreFile(path: store.path, kind: .positions).size <= Int64(try #require(retention.size).bytes) + 8_192)
        #expect(try folder.reader.newest()?.timestamp == time(19_999))
        #expect(try folder.sqlite("PRAGMA integrity_check") == "ok\n")
    }

    @Test func `what a reader keeps in the log is removed by the next maintenance`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<1_000))
        var retention = TrackRetention()
        retention.age = .seconds(500)
        try folder.reader.read { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM point")
            #expect(try count == 1_000 && store.maintain(retention, now: time(1_000)) == 500)
        }
        #expect(try folder.hasCoordinate(55.00003))
        #expect(try store.maintain(retention, now: time(1_000)) == 0)
        #expect(try !folder.hasCoordinate(55.00003) && folder.hasCoordinate(55.00503))
    }

    @Test func `a purge reports what a reader keeps in the log, and a second one removes it`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<1_000))
        let purge = ControlCommand("purge", [LogValueEntry("before", .string("\(time(500).nanoseconds)"))])
        try folder.reader.read { db in
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM point") == 1_000)
            let answer = try store.execute(purge)
            #expect(answer["purged"] == 500 && answer["erased"] == false)
        }
        #expect(try folder.hasCoordinate(55.00003))
        let answer = try store.execute(purge)
        #expect(answer["purged"] == 0 && answer["erased"] == true)
        #expect(try !folder.hasCoordinate(55.00003) && folder.hasCoordinate(55.00503))
        #expect(try store.execute(ControlCommand("clear"))["erased"] == true)
    }

    @Test func `a purge of a device or a range removes the rest of an earlier one, also if it deletes nothing`() throws
    {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<1_000))
        func purge(_ device: String) throws -> ControlCommand.Answer {
            let before = LogValueEntry("before", .string("\(time(500).nanoseconds)"))
            return try store.execute(ControlCommand("purge", [before, LogValueEntry("device", .string(device))]))
        }
        try folder.reader.read { db in
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM point") == 1_000)
            let answer = try purge("ferry")
            #expect(answer["purged"] == 500 && answer["erased"] == false)
        }
        #expect(try folder.hasCoordinate(55.00003))
        let answer = try purge("unknown")
        #expect(answer["purged"] == 0 && answer["erased"] == true)
        #expect(try !folder.hasCoordinate(55.00003) && folder.hasCoordinate(55.00503))
    }

    @Test func `a store that is opened removes what a deletion has left in the log`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<1_000))
        let reader = try folder.reader
        try reader.read { db in
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM point") == 1_000)
            #expect(try store.purge(before: time(500)) == 500)
            // The reader keeps the log.
            try store.close()
        }
        #expect(try folder.hasCoordinate(55.00003))
        try store.open()
        #expect(try store.isErased && !folder.hasCoordinate(55.00003) && reader.count() == 500)
    }

    @Test func `points saved before the store was closed are analysed after it was opened again`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<100))
        try store.close()
        try store.tidyIfOpen()
        try store.open()
        try store.tidyIfOpen()
        #expect(try folder.sqlite("SELECT count(*) FROM analysis") == "1\n")
    }

    @Test func `the process that writes thins old days`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<100))
        let before = LogValueEntry("before", .string("\(time(86_400).nanoseconds)"))
        let tolerance = LogValueEntry("tolerance", 10)
        let later = LogValueEntry("before", .string("\(time(2 * 86_400).nanoseconds)"))
        for wrong in [[before], [tolerance], [before, LogValueEntry("tolerance", -1)]] {
            #expect(throws: OptionError.self) { try store.execute(ControlCommand("thin", wrong)) }
        }
        let thinned = try store.execute(ControlCommand("thin", [later, tolerance]))["purged"]
        #expect(try thinned == .int(Int64(100 - folder.reader.count())) && thinned != 0)
    }

    @Test func `a failure that lasts is reported once, until it ends`() async throws {
        let diagnostics = CapturedDiagnostics()
        let rounds = Locked(0)
        let maintenance = StoreMaintenance(
            "ferry",
            [
                .init(every: .milliseconds(1)) { _ in
                    let round = rounds.withLock { round in
                        round += 1
                        return round
                    }
                    // The sixth round is well, and some fail because another process uses the store.
                    if round % 3 == 0, round != 6 { throw StoreError(.busy, "in use") }
                    if round != 6 { throw StoreError(.full, "no room") }
                },
                .init(every: .milliseconds(1)) { _ in },
            ])
        #expect(await eventually { rounds.withLock { $0 } > 20 })
        maintenance.stop()
        let ended = rounds.withLock { $0 }
        let lines = diagnostics.lines(with: "ferry: ")
        #expect(
            !lines.isEmpty && lines.allSatisfy { $0.contains("the store cannot be maintained: no room") }, "\(lines)")
        #expect(lines.count < ended / 2)
        #expect(rounds.withLock { $0 } == ended)
    }

    @Test func `a retention thins old days, whose trips stay as they were`() throws {
        let folder = TemporaryDirectory()
        let day = GeneratedDay(interval: 5).fixes.compactMap { TrackPoint($0, device: "ferry", session: "day") }
        try folder.store.save(day)
        try folder.store.analyse()
        let before = try folder.reader.journeys()
        var retention = TrackRetention()
        retention.thinAge = .days(30)
        #expect(retention.keepsAll == false)
        let then = Timestamp(nanoseconds: GeneratedDay.start + 20 * 86_400_000_000_000)
        #expect(try folder.store.maintain(retention, now: then) == 0)
        let later = Timestamp(nanoseconds: GeneratedDay.start + 32 * 86_400_000_000_000)
        let deleted = try folder.store.maintain(retention, now: later)
        #expect(deleted > day.count / 2)
        #expect(try folder.reader.count() == day.count - deleted && folder.reader.journeys() == before)
        #expect(try folder.store.maintain(retention, now: later) == 0)
        // The arguments of a command are read as they were.
        retention.age = .seconds(90.5)
        retention.size = .mebibytes(3)
        retention.rows = 7
        #expect(try TrackRetention(ControlCommand("maintain", retention.arguments)) == retention)
    }

    @Test func `during a purge, others save between its transactions`() async throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<100_000))
        var transactions = 0
        let deleted = try store.purge(before: time(90_000)) {
            transactions += 1
            if transactions == 2 { _ = try? store.save(Points.line(200_000..<200_001)) }
            return false
        }
        #expect(deleted == 90_000 && transactions > 4)
        #expect(try folder.reader.count() == 10_001)
        // One that is cancelled keeps what it has deleted, and no more.
        var wasAsked = false
        let some = try store.purge(before: time(100_000)) {
            defer { wasAsked = true }
            return wasAsked
        }
        #expect(some > 0 && some <= 10_000)
        #expect(try store.purge(before: time(300_000)) { true } == 0)
        #expect(try folder.reader.count() == 10_001 - some)
    }

    @Test func `a track is imported once, and is read back as the same points`() throws {
        let folder = TemporaryDirectory()
        try folder.write(
            """
            <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            <trkpt lat="55.1" lon="12.1"><ele>3</ele><time>2026-01-05T14:30:00Z</time></trkpt>
            <trkpt lat="55.2" lon="12.2"><time>2026-01-05T14:31:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """, to: "walk.gpx")
        let store = folder.store
        let first = try store.importPoints(folder.file("walk.gpx"), format: .track(.gpx), device: "legs")
        #expect(first.saved.inserted == 2 && first.saved.repeated == 0)
        let again = try store.importPoints(folder.file("walk.gpx"), format: .track(.gpx), device: "legs")
        #expect(again.saved.inserted == 0 && again.saved.repeated == 2)
        let points = try folder.stored()
        #expect(points.map(\.lat) == [55.1, 55.2] && points.map(\.altitude) == [3, nil])
        #expect(points.allSatisfy { $0.device == "legs" && $0.session == "walk.gpx" && $0.run == nil })
        let sessions = try folder.reader.sessions()
        #expect(sessions.map(\.name) == ["walk.gpx"] && sessions.map(\.points) == [2])
        #expect(sessions.first?.last == time(60))
        #expect(try folder.reader.devices() == ["legs"])
        #expect(throws: (any Error).self) { try store.importPoints(folder.file("none.gpx"), format: .track(.gpx)) }
    }

    @Test func `a backup is a store, readable by its owner, and replaces nothing`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<1_000))
        try folder.reader.backUp(to: folder.file("copy.sqlite"))
        try store.save(Points.line(1_000..<1_001))
        #expect(try StoreReader(folder.file("copy.sqlite")).count() == 1_000)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("copy.sqlite"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try TrackStore.at(folder.file("copy.sqlite")).save(Points.line(1_000..<1_002))
        #expect(try folder.sqlite("PRAGMA integrity_check; SELECT count(*) FROM point", "copy.sqlite") == "ok\n1002\n")
        #expect(throws: StoreError.self) { try folder.reader.backUp(to: folder.file("copy.sqlite")) }
        #expect(try folder.reader.count() == 1_001)
    }

    @Test func `the process that writes carries out commands`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<100))
        let before = LogValueEntry("before", .string("\(time(40).nanoseconds)"))
        #expect(try store.execute(ControlCommand("purge", [before]))["purged"] == 40)
        #expect(try store.execute(ControlCommand("status"))["rows"] == 60)
        try folder.write("time,latitude,longitude\n2026-01-05T14:30:00Z,55,12\n", to: "one.csv")
        let file = LogValueEntry("file", .string(folder.file("one.csv")))
        var remote = ControlCommand("import", [file])
        remote.isRemote = true
        #expect(throws: OptionError.self) { try store.execute(remote) }
        #expect(try store.execute(ControlCommand("import", [file]))["inserted"] == 1)
        var retention = TrackRetention()
        retention.rows = 50
        #expect(try store.execute(ControlCommand("maintain", retention.arguments))["purged"] == 11)
        #expect(try folder.sqlite("SELECT count(*) FROM analysis") != "0\n")
        #expect(try store.execute(ControlCommand("clear"))["purged"] == 50)
        for wrong in [
            ControlCommand("burn"), ControlCommand("purge"), ControlCommand("purge", [LogValueEntry("before", "x")]),
            ControlCommand("clear", [before]), ControlCommand("import"),
            ControlCommand("maintain", [LogValueEntry("rows", -1)]), ControlCommand("maintain", [before]),
        ] {
            #expect(throws: OptionError.self) { try store.execute(wrong) }
        }
    }

    @Test func `the answer to an import has the messages of the track's reader`() throws {
        let folder = TemporaryDirectory()
        try folder.write("latitude,longitude\n55,12\n56,x\n", to: "two.csv")
        let path = folder.file("two.csv")
        let answer = try folder.store.execute(ControlCommand("import", [LogValueEntry("file", .string(path))]))
        #expect(answer["inserted"] == 1 && answer["skipped"] == 1)
        let warnings = [
            "\(path):3: byte 25: x is not a number for longitude; the point is skipped",
            "\(path): the positions have no times",
        ]
        #expect(answer["warnings"] == LogValue.array(warnings.map { .string($0) }), "\(answer)")
        #expect(try folder.reader.count() == 1)
    }
}
#endif
