#if Store
import Foundation
import Glibc
import Taffrail
import TaffrailTestSupport
import TaffrailTesting
import Testing

@testable import TaffrailStore

/// Databases that cannot be written to, or must not be.
@Suite(.mayBlock, .serialized) struct DamagedStoreTests {
    private func names(_ folder: TemporaryDirectory) -> [String] { folder.names.filter { $0 != "track.sqlite-lock" } }

    @Test func `a file that is not a database is kept under another name, and a store is created`() throws {
        let folder = TemporaryDirectory()
        try folder.write("not a database, but somebody's diary", to: "track.sqlite")
        try folder.store.save(Points.line(0..<3))
        let kept = try #require(folder.names.first { $0.hasPrefix("track.sqlite.corrupt-") })
        #expect(folder.text(kept) == "not a database, but somebody's diary")
        #expect(try folder.reader.count() == 3)
    }

    @Test func `a database that turns out to be damaged is kept with its log, and nothing offered is lost`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        for batch in 0..<40 { try store.save(Points.line(batch * 100..<batch * 100 + 100)) }
        try store.close()
        // Some pages in the middle are overwritten.
        var bytes = try folder.bytes("track.sqlite")
        for index in 4_096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        try folder.write(bytes, to: "track.sqlite")
        try store.save(Points.line(5_000..<5_010))
        let kept = try #require(folder.names.first { $0.hasPrefix("track.sqlite.corrupt-") && !$0.hasSuffix("-wal") })
        #expect(try folder.bytes(kept).count == bytes.count)
        #expect(try folder.stored().map(\.timestamp) == Points.line(5_000..<5_010).map(\.timestamp))
        #expect(try folder.sqlite("PRAGMA integrity_check") == "ok\n")
    }

    @Test func `a move that a kill interrupted is completed before a log meets another database`() throws {
        let folder = TemporaryDirectory()
        let file = StoreFile(path: folder.file("track.sqlite"), kind: .positions)
        let target = "track.sqlite.corrupt-20260105T143000Z"
        try folder.write("damaged", to: "track.sqlite")
        try folder.write("its log", to: target + "-wal")
        try folder.write(folder.file(target), to: "track.sqlite-moving")
        try folder.store.save(Points.line(0..<1))
        #expect(folder.text(target) == "damaged" && folder.text(target + "-wal") == "its log")
        #expect(try file.exists())
        // If all files had been moved, only the note is left; and a leftover log moves nothing.
        try FileManager.default.removeItem(atPath: folder.file(target))
        try folder.write(folder.file("elsewhere"), to: "track.sqlite-moving")
        try folder.store.save(Points.line(1..<2))
        #expect(try folder.reader.count() == 2 && !folder.names.contains("track.sqlite-moving"))
    }

    @Test func `the store of a later version is refused and not touched`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<3))
        try store.close()
        _ = try Program.run([folder.file("track.sqlite"), "PRAGMA user_version = 99"], of: "sqlite3")
        let (bytes, before) = (try folder.bytes("track.sqlite"), names(folder))
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try store.save(Points.line(3..<4)) }
            #expect(error?.kind == .newer && error?.reason.contains("version 99") == true)
            #expect(throws: StoreError.self) { try folder.reader.count() }
        }
        #expect(try folder.bytes("track.sqlite") == bytes && names(folder) == before)
    }

    @Test func `another program's database is refused and not touched`() throws {
        let folder = TemporaryDirectory()
        _ = try Program.run([folder.file("track.sqlite"), "CREATE TABLE diary(day TEXT)"], of: "sqlite3")
        let (bytes, before) = (try folder.bytes("track.sqlite"), names(folder))
        let error = #expect(throws: StoreError.self) { try folder.store.save(Points.line(0..<1)) }
        #expect(error?.kind == .foreign)
        #expect(try folder.bytes("track.sqlite") == bytes && names(folder) == before)
    }

    @Test func `a store that is deleted while it is open is created again`() throws {
        let folder = TemporaryDirectory()
        let store = folder.store
        try store.save(Points.line(0..<3))
        for name in ["track.sqlite", "track.sqlite-wal", "track.sqlite-shm"] {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        try store.save(Points.line(3..<5))
        #expect(try folder.reader.count() == 2)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func `a full disk is an error of its kind, and saving continues when there is space`() throws {
        let disk = try SmallDisk("4m")
        let store = disk.directory.store
        try store.save(Points.line(0..<100))
        try disk.fill()
        var saved = 100
        var error: StoreError?
        do throws(StoreError) {
            while saved < 100_000 {
                try store.save(Points.line(saved..<saved + 500))
                saved += 500
            }
        } catch let caught { error = caught }
        #expect(error?.kind == .full, "\(String(describing: error))")
        #expect(try disk.directory.reader.count() == saved)
        try disk.free()
        try store.save(Points.line(saved..<saved + 500))
        #expect(try disk.directory.stored().map(\.timestamp) == Points.line(0..<saved + 500).map(\.timestamp))
        try store.close()
        #expect(try disk.directory.sqlite("PRAGMA integrity_check") == "ok\n")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root"))
    func `a read-only file system is an error until it is writable`() throws {
        let disk = try SmallDisk("4m")
        let store = disk.directory.store
        try store.save(Points.line(0..<10))
        try store.close()
        try disk.setReadOnly(true)
        let error = #expect(throws: StoreError.self) { try store.save(Points.line(10..<20)) }
        #expect(error?.kind == .denied, "\(String(describing: error))")
        try disk.setReadOnly(false)
        try store.save(Points.line(10..<20))
        #expect(try disk.directory.reader.count() == 20)
    }
}
#endif
