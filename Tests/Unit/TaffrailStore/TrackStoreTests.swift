#if Store
import Foundation
import Taffrail
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import TaffrailGeo
@testable import TaffrailStore

/// Points that are made up.
enum Points {
    /// 2026-01-05 14:30:00 UTC.
    static let start: Int64 = 1_767_623_400_000_000_000

    /// Fixes a second apart, going north.
    static func line(_ range: Range<Int>, device: String = "ferry", session: String = "one") -> [TrackPoint] {
        range.map { index in
            TrackPoint(
                timestamp: Timestamp(nanoseconds: start + Int64(index) * 1_000_000_000),
                lat: 55 + Double(index) * 1e-5, lon: 12, hAcc: 5, speed: 1.25, device: device, session: session)
        }
    }
}

/// Something that has happened, on another thread.
final class Flag: Sendable {
    private let value = Locked(false)
    var isRaised: Bool { value.withLock { $0 } }
    func raise() { value.withLock { $0 = true } }
}

extension TemporaryDirectory {
    var store: TrackStore { TrackStore.at(file("track.sqlite")) }
    var reader: StoreReader { get throws { try StoreReader(file("track.sqlite")) } }

    func stored(_ query: TrackQuery = TrackQuery()) throws -> [TrackPoint] {
        var points: [TrackPoint] = []
        try reader.forEach(query) { points.append($0) }
        return points
    }

    /// What the command of SQLite itself prints.
    func sqlite(_ sql: String, _ name: String = "track.sqlite") throws -> String {
        let result = try Program.run(["-readonly", file(name), sql], of: "sqlite3")
        #expect(result.code == 0, "\(result.errors)")
        return result.output
    }
}

@Suite(.mayBlock) struct TrackStoreTests {
    @Test func `a point is read back with the documented precision`() throws {
        let folder = TemporaryDirectory()
        var point = TrackPoint(
            timestamp: Timestamp(nanoseconds: Points.start + 123_456_789), lat: -55.123456749, lon: -179.99999996,
            hAcc: 3.14159, speed: 27.777, device: "ferry", session: "a")
        point.altitude = -12.345
        point.course = 359.999
        point.verticalAccuracy = 0
        point.climb = -0.505
        point.source = "/dev/ttyACM0"
        point.battery = 0.876
        point.localOffset = .seconds(-12_600)
        point.run = RingID(0xF00D)
        point.sequence = .max
        point.flags = [.untimed, .simulated]
        try folder.store.save([point])
        let found = try #require(try folder.reader.newest())
        #expect(found == point.rounded)
        #expect(found.timestamp == point.timestamp && found.id == point.id)
        #expect(abs(found.lat - point.lat) <= 0.5e-7 && abs(found.lon - point.lon) <= 0.5e-7)
        #expect(found.hAcc == 3.14 && found.speed == 27.78 && found.course == 0 && found.battery == 0.88)
        #expect(found.altitude == -12.35 || found.altitude == -12.34)
        #expect(found.localOffset == .seconds(-12_600) && found.sequence == .max && found.run == RingID(0xF00D))
        // What is unknown stays unknown.
        let bare = Points.line(0..<1)[0]
        try folder.store.save([bare])
        let second = try #require(try folder.reader.oldest())
        #expect(second == bare.rounded && second.altitude == nil && second.course == nil && second.run == nil)
    }

    @Test func `an id is a UUID of version 8 that sorts by time and names a fix in every store`() throws {
        let points = Points.line(0..<2_000)
        #expect(Set(points.map(\.id)).count == points.count)
        let texts = points.map { $0.id.uuidString }
        #expect(texts == texts.sorted())
        for text in texts {
            let digits = Array(text)
            #expect(digits[14] == "8" && "89AB".contains(digits[19]))
        }
        let milliseconds = UInt64(texts[1].filter { $0 != "-" }.prefix(12), radix: 16)
        #expect(milliseconds == UInt64(Points.start / 1_000_000 + 1_000))
        var other = points[0]
        other.hAcc = 99
        other.session = "another"
        #expect(other.id == points[0].id)
        other.device = "tender"
        #expect(other.id != points[0].id)
    }

    @Test func `the same fix is one row, which notes when it came again`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        #expect(try store.save(Points.line(0..<10)).inserted == 10)
        let again = try store.save(Points.line(5..<12))
        #expect(again.inserted == 2 && again.repeated == 5)
        let points = try folder.stored()
        #expect(points.map(\.timestamp) == Points.line(0..<12).map(\.timestamp))
        #expect(points.map { $0.lastSeen != nil } == (0..<12).map { (5..<10).contains($0) })
        #expect(try folder.reader.count() == 12)
        #expect(store.status.first?.value == .int(12))
    }

    @Test func `a database that another program has locked is busy, and a failed save leaves nothing`() async throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<1))
        // Another program has the database.
        let holder = try Program(
            [folder.file("track.sqlite"), "BEGIN EXCLUSIVE", ".system echo held; sleep 600"], of: "sqlite3", in: folder)
        #expect(await eventually { folder.text("output").contains("held") }, "\(folder.text("errors"))")
        let error = #expect(throws: StoreError.self) { try store.save(Points.line(1..<3, device: "tender")) }
        #expect(error?.kind == .busy)
        holder.kill()
        try store.save(Points.line(1..<3, device: "tender"))
        #expect(try folder.stored().map(\.device) == ["ferry", "tender", "tender"])
        #expect(try folder.sqlite("PRAGMA integrity_check") == "ok\n")
    }

    @Test func `one process writes, and others get an error`() throws {
        let folder = TemporaryDirectory()
        try folder.store.save(Points.line(0..<3))
        // As another process does: with its own open file.
        let lock = try FileDescriptor(folder.file("track.sqlite-lock"), [.readWrite, .create])
        let isFree = lock.lock()
        #expect(isFree)
        let store = folder.store
        let error = #expect(throws: StoreError.self) { try store.save(Points.line(3..<4)) }
        #expect(error?.kind == .busy && error?.reason.contains("another process") == true)
        // Reading continues.
        #expect(try folder.reader.count() == 3)
        lock.unlock()
        try store.save(Points.line(3..<4))
        #expect(try folder.reader.count() == 4)
    }

    @Test func `a reader cannot keep a store from being made`() async throws {
        let folder = TemporaryDirectory()
        // The state of a database that is being made, which a reader holds.
        try folder.write("", to: "track.sqlite")
        let reader = try Program(
            [
                "-readonly", folder.file("track.sqlite"), "BEGIN; SELECT * FROM sqlite_master",
                ".system echo held; sleep 600",
            ],
            of: "sqlite3", in: folder)
        #expect(await eventually { folder.text("output").contains("held") }, "\(folder.text("errors"))")
        try folder.store.save(Points.line(0..<3))
        #expect(try folder.reader.count() == 3)
        reader.kill()
        try folder.store.save(Points.line(3..<4))
        #expect(try folder.reader.count() == 4)
        #expect(folder.names.filter { $0.hasPrefix("track.sqlite-new") } == [])
    }

    @Test func `what is left of a store that was being made, or of a deleted one, is in no new one`() throws {
        let folder = TemporaryDirectory()
        let old = folder.store
        try old.save(Points.line(0..<3))
        let log = try folder.bytes("track.sqlite-wal")
        try old.close()
        try FileManager.default.removeItem(atPath: folder.file("track.sqlite"))
        try log.withUnsafeBytes { try Data($0).write(to: URL(filePath: folder.file("track.sqlite-wal"))) }
        for name in ["track.sqlite-new", "track.sqlite-new-wal"] { try folder.write("half of one", to: name) }
        try folder.store.save(Points.line(3..<4))
        #expect(try folder.reader.count() == 1 && folder.sqlite("PRAGMA integrity_check") == "ok\n")
        #expect(!folder.names.contains { $0.contains("-new") })
    }

    @Test func `opening waits within a bound while another process uses the store`() throws {
        let folder = TemporaryDirectory()
        let lock = try FileDescriptor(folder.file("track.sqlite-lock"), [.readWrite, .create])
        let isFree = lock.lock()
        #expect(isFree)
        var (pauses, limit) = (0, 1)
        // Without a processor the first attempt may take all of a short time.
        while pauses == 0, limit < 10_000 {
            let error = #expect(throws: StoreError.self) {
                try folder.store.open(waiting: .milliseconds(limit)) { pauses += 1 }
            }
            #expect(error?.kind == .busy)
            limit *= 4
        }
        #expect(pauses > 0)
        pauses = 0
        try folder.store.open(waiting: .seconds(600)) {
            pauses += 1
            if pauses == 3 { lock.unlock() }
        }
        #expect(pauses == 3)
        try folder.store.save(Points.line(0..<1))
    }

    @Test func `two readers read complete batches while a writer writes`() async throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<50))
        let done = Flag()
        async let first = blocking { try Self.readBatches(folder, until: done) }
        async let second = blocking { try Self.readBatches(folder, until: done) }
        try await blocking {
            for batch in 1..<100 { try store.save(Points.line(batch * 50..<batch * 50 + 50)) }
            done.raise()
        }
        let counts = try await [first, second]
        #expect(counts.allSatisfy { $0 == 5_000 })
    }

    /// Counts again and again, until the writer is done.
    private static func readBatches(_ folder: TemporaryDirectory, until done: Flag) throws -> Int {
        var last = 0
        while true {
            let isDone = done.isRaised
            let reader = try folder.reader
            let count = try reader.count()
            #expect(count % 50 == 0 && count >= last)
            #expect(try reader.points(.newest(1)).count == 1)
            last = count
            if isDone { return count }
        }
    }

    @Test func `only the owner can read a store, and a person can read it with sqlite3`() throws {
        let folder = TemporaryDirectory()
        let store = TrackStore.at(folder.file("new/folder/track.sqlite"))
        try store.save(Points.line(0..<1))
        for name in ["", "-wal", "-shm", "-lock"] {
            let path = folder.file("new/folder/track.sqlite" + name)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        let line = try folder.sqlite("SELECT * FROM track", "new/folder/track.sqlite")
        #expect(line == "2026-01-05T14:30:00.000Z|55.0|12.0|5.0|1.25|||ferry|one\n")
        #expect(try folder.sqlite("PRAGMA auto_vacuum", "new/folder/track.sqlite") == "2\n")
    }

    @Test func `after flush and close all points are in the database file alone`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<100))
        try store.flush()
        #expect(try folder.sqlite("SELECT count(*) FROM meta WHERE key = 'flushed'") == "1\n")
        try store.close()
        #expect(folder.names == ["track.sqlite", "track.sqlite-lock"])
        #expect(try folder.reader.count() == 100)
        try store.save(Points.line(100..<101))
        #expect(try folder.reader.count() == 101)
    }

    @Test func `names with a NUL or of any length are stored`() throws {
        let folder = TemporaryDirectory()
        let names = ["a\0b", "a", String(repeating: "é", count: 100_000), "'; DROP TABLE point; --"]
        for (index, name) in names.enumerated() {
            try folder.store.save(Points.line(index..<index + 1, device: name, session: name))
        }
        #expect(try folder.stored().map(\.device) == ["a\u{FFFD}b"] + names.dropFirst())
        #expect(try folder.stored().map(\.id) == names.enumerated().map { Points.line($0..<$0 + 1, device: $1)[0].id })
    }

    @Test func `names that senders make up take a limited memory`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        let points = (0..<NameNumbers<ExactText, Int64>.limit + 10).map { index in
            var point = Points.line(index..<index + 1, device: "device \(index)", session: "run \(index)")[0]
            point.source = "receiver \(index)"
            return point
        }
        #expect(try store.save(points).inserted == points.count)
        let known = try store.withConnection {
            [$0.names.devices.known.count, $0.names.sources.known.count, $0.names.sessions.known.count]
        }
        #expect(known == [10, 10, 10])
        #expect(try store.save(points).repeated == points.count)
        #expect(try folder.reader.devices().count == points.count)
    }
}
#endif
