import Testing

@testable import Taffrail

@Suite struct RotatedNameTests {
    let log = LogPath(ofLog: "/var/log/app.log")

    @Test func `a log's path is taken apart at its last dot`() throws {
        let log = try #require(LogPath(ofLog: "/var/log/app.2.log"))
        #expect([log.path, log.base, log.stem, log.suffix] == ["/var/log", "app.2.log", "app.2", ".log"])
        let bare = try #require(LogPath(ofLog: "/app"))
        #expect([bare.path, bare.base, bare.stem, bare.suffix] == ["/", "app", "app", ""])
        #expect(bare.live == "/app")
        #expect(bare.lock == "/.taffrail/lock")
        let hidden = try #require(LogPath(ofLog: "/x/.log"))
        #expect([hidden.stem, hidden.suffix] == [".log", ""])
        #expect(LogPath(ofLog: "logs/./a.log")?.path.hasPrefix("/") == true)
        for (path, live) in [("/x//app.log", "/x/app.log"), ("//app.log", "/app.log"), ("/x///y//a", "/x///y/a")] {
            #expect(LogPath(ofLog: path)?.live == live)
        }
        #expect(LogPath(ofLog: ".//app.log")?.base == "app.log")
        for path in ["", "/", "/x/", "/x//", "/x/..", ".", "/x/" + String(repeating: "n", count: 221)] {
            #expect(LogPath(ofLog: path) == nil)
        }
    }

    @Test func `a rotated name has the time in UTC and a number, and can be parsed`() throws {
        let log = try #require(log)
        let name = RotatedName(milliseconds: 1_767_623_400_123, number: 1)
        #expect(name.text(in: log) == "app-20260105T143000.123Z-0001.log")
        for compression in [.none, .gzip, .zstd] as [RotatedName.Compression] {
            let name = RotatedName(milliseconds: 1_767_623_400_123, number: 42, compression: compression)
            #expect(RotatedName(name.text(in: log), of: log) == name)
        }
    }

    @Test func `only the full pattern of the own log is one of its files`() throws {
        let log = try #require(log)
        for name in [
            "app.log", "app-20260105T143000.123Z-0001", "app-20260105T143000.123Z-0001.log.bz2",
            "app-20260105T143000.123Z-0001.log.gz.tmp", "app-20260105T143000.123Z-001.log",
            "app-20260105T143000.123Z-0000.log", "app-20260105T143000.123-0001.log",
            "app-20260230T143000.123Z-0001.log", "app-20260105T243000.123Z-0001.log",
            "app-20260105t143000.123Z-0001.log", "other-20260105T143000.123Z-0001.log",
            "xapp-20260105T143000.123Z-0001.log", "app-20260105T143000.123Z-0001.logx",
            "app-2026010aT143000.123Z-0001.log", "",
        ] {
            #expect(RotatedName(name, of: log) == nil, "\(name)")
        }
    }

    @Test func `a new name sorts after every other, even when the clock has been set back`() {
        let first = RotatedName.next(at: 1000, after: nil)
        #expect(first == RotatedName(milliseconds: 1000, number: 1))
        #expect(RotatedName.next(at: 1000, after: first) == RotatedName(milliseconds: 1000, number: 2))
        #expect(RotatedName.next(at: 5, after: first) == RotatedName(milliseconds: 1000, number: 2))
        #expect(RotatedName.next(at: 1001, after: first) == RotatedName(milliseconds: 1001, number: 1))
        let full = RotatedName(milliseconds: 1000, number: 9999)
        #expect(RotatedName.next(at: 1000, after: full) == RotatedName(milliseconds: 1001, number: 1))
    }

    @Test func `names sort as the files follow each other`() throws {
        let log = try #require(log)
        var last: RotatedName?
        var texts: [String] = []
        for moment in [5, 5, 3, 1_767_623_400_123, 1_767_623_400_122, 1_767_623_400_124] as [Int64] {
            let next = RotatedName.next(at: moment, after: last)
            texts.append(next.text(in: log))
            last = next
        }
        #expect(texts == texts.sorted())
    }
}
