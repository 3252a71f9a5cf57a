import Foundation
import TaffrailTestSupport
import Testing

@testable import Taffrail
@testable import TaffrailReading

@Suite(.mayBlock) struct LedgerFileTests {
    private let directory = TemporaryDirectory()
    private var file: LedgerFile { LedgerFile(directory: directory.path) }

    private func drop(_ run: UInt64, sink: String = "journald", count: UInt64 = 3) -> LedgerEntry {
        .drop(
            Ledger.Drop(
                run: RingID(run), time: Timestamp(nanoseconds: 5), reason: .sinkLagging, sink: sink, sequences: 7...12,
                count: count, levels: [.info: 2, .error: 1]))
    }

    private func end(_ run: UInt64, records: UInt64 = 12) -> LedgerEntry {
        .end(
            Ledger.Ending(
                run: RingID(run), startedAt: Timestamp(nanoseconds: 1), endedAt: Timestamp(nanoseconds: 9),
                records: records, sink: "file:my_app.log", destination: "my app.log"))
    }

    /// A line of the index with a run.
    private func indexed(_ run: UInt64) -> String {
        let start = IndexEntry.Boundary(
            file: IndexEntry.FileID(inode: 1, birth: 1), offset: 0, run: RingID(run), base: "app.log")
        return IndexEntry.start(at: start, sequence: 1, time: 1).text
    }

    @Test func `appended entries are read back, a second end of a run in place of the first`() throws {
        try file.append([drop(1), drop(2, sink: "file:my app.log"), end(1)])
        try file.append([end(2, records: 3), end(1, records: 13)])
        let read = try file.entries()
        #expect(read == [drop(1), drop(2, sink: "file:my app.log"), end(1), end(2, records: 3), end(1, records: 13)])
        #expect(LedgerContents(read).endings.map(\.records) == [3, 13])
        #expect(LedgerContents(read).drops.filter { $0.run == RingID(2) }.map(\.sink) == ["file:my app.log"])
        #expect(directory.size("ledger") > 0)
    }

    @Test func `records without number and level are reported as such`() throws {
        let entry = LedgerEntry.drop(
            Ledger.Drop(
                run: RingID(1), time: Timestamp(nanoseconds: 5), reason: .full, sink: "", sequences: nil, count: 4,
                levels: [:]))
        try file.append([entry])
        #expect(directory.text("ledger").hasSuffix(" d 0000000000000001 5 full - - 4 - \n"))
        #expect(try file.entries() == [entry])
    }

    @Test func `names with line ends make no line of their own`() {
        let text = drop(1, sink: "file:a\nb").text
        #expect(text.filter { $0 == "\n" }.count == 1)
    }

    @Test func `a torn or changed line is counted, and the next entry starts a new one`() throws {
        try file.append([drop(1)])
        try directory.append("0badc0de d 0000", to: "ledger")
        try file.append([end(1)])
        try directory.append(String(end(2).text.reversed()) + "\n", to: "ledger")
        #expect(try file.entries().compactMap { $0 } == [drop(1), end(1)])
        #expect(LedgerContents(try file.entries()).unreadable == 2)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root"))
    func `a disk that becomes full takes all the entries or none, and counts none twice`() throws {
        let disk = try SmallDisk("256k")
        let file = LedgerFile(directory: disk.directory.path)
        try file.append([drop(1)])
        let size = disk.directory.size("ledger")
        try disk.fill()
        // The page of the first entry has room for some of them.
        let more = (0..<200).map { drop(1, count: UInt64(100 + $0)) } + [end(1)]
        for _ in 0..<2 {
            #expect(throws: SystemError.self) { try file.append(more) }
            #expect(disk.directory.size("ledger") == size)
            #expect(try file.entries() == [drop(1)])
        }
        try disk.free()
        try file.append(more)
        #expect(try file.entries() == [drop(1)] + more)
    }

    @Test func `an entry without all of its fields is invalid, and each number has its whole range`() throws {
        for line in ["d \(RingID(1)) 5 full - - 4 -", "e \(RingID(1)) 1 9 12 sink", "l \(RingID(1)) 5 1 in"] {
            try directory.append(CheckedLine.text(line), to: "ledger")
            try directory.append(CheckedLine.text(line + " "), to: "ledger")
        }
        #expect(try file.entries().map { $0 == nil } == [true, false, true, false, true, false])
        let first = Ledger.LogChange(
            run: RingID(.max), time: Timestamp(nanoseconds: .min), from: .max, isWritten: true, log: "app.log")
        try file.append([.log(first)])
        #expect(try file.entries().last == .log(first))
    }

    @Test func `a reason of a newer version is counted, and hides no other line`() throws {
        try file.append([drop(1)])
        try directory.append(CheckedLine.text("d \(RingID(1)) 5 evaporated 4 4 1 - spool"), to: "ledger")
        try file.append([drop(2)])
        #expect(try file.entries() == [drop(1), nil, drop(2)])
        #expect(LedgerContents(try file.entries()).unreadable == 1)
    }

    @Test func `reasons are spelled as ever`() {
        let spellings =
            "full shed degraded closed unbuilt processor refused behind gone discarded damaged filtered overflow expired "
            + "rejected deleted unreadable"
        #expect(Set(DropReason.allCases.map(\.rawValue)) == Set(spellings.split(separator: " ").map(String.init)))
    }

    @Test func `without a ledger nothing is read, and nothing created`() throws {
        let away = LedgerFile(directory: directory.file("none/.taffrail"))
        #expect(try away.entries() == [])
        try away.append([end(1)])
        #expect(directory.names == [])
        let ledger = try Ledger.read(directory: directory.file("none"))
        #expect(ledger.endings == [] && ledger.drops == [] && ledger.unreadable == 0)
    }

    @Test func `a directory or a link in its place is rejected`() throws {
        mkdir(file.path, 0o700)
        #expect(throws: SystemError.self) { try file.append([end(1)]) }
        #expect(throws: SystemError.self) { try file.entries() }
        rmdir(file.path)
        symlink(directory.file("elsewhere"), file.path)
        #expect(throws: SystemError.self) { try file.append([end(1)]) }
        #expect(!FileManager.default.fileExists(atPath: directory.file("elsewhere")))
    }

    @Test func `what is shortened keeps the sums of drops, and the numbers that were removed on purpose`() throws {
        try directory.append(indexed(7), to: "index")
        func removal(_ first: UInt64?, _ last: UInt64?, of log: String, run: UInt64 = 7) -> LedgerEntry {
            .removal(
                Ledger.Removal(
                    run: RingID(run), time: Timestamp(nanoseconds: 5), reason: .retention, first: first, last: last,
                    file: "\(log)-20260105T143000.123Z-000\((first ?? 0) % 9 + 1).log"))
        }
        func refused(_ number: UInt64, sink: String) -> LedgerEntry {
            .drop(
                Ledger.Drop(
                    run: RingID(7), time: Timestamp(nanoseconds: 5), reason: .refused, sink: sink,
                    sequences: number...number, count: 1, levels: [.info: 1]))
        }
        // The files of one log adjoin, apart from 31 to 40; those of the other have the numbers in between.
        try file.append(
            [
                removal(1, 10, of: "app"), removal(11, 30, of: "app"), removal(41, 50, of: "app"),
                removal(31, 40, of: "other"), removal(nil, nil, of: "app", run: 0), refused(3, sink: "file:app.log"),
            ])
        let many = LedgerFile.limit / 60
        try file.append((0..<many).map { refused(UInt64(100 + $0), sink: $0 % 2 == 0 ? "journald" : "http") })
        try file.append([end(7)])
        #expect(directory.size("ledger") <= Int64(LedgerFile.kept) + 200)
        let read = LedgerContents(try file.entries())
        #expect(read.unreadable == 0 && read.endings.count == 1)
        for (sink, count) in [("file:app.log", 1), ("journald", (many + 1) / 2), ("http", many / 2)] {
            let drops = read.drops.filter { $0.sink == sink }
            #expect(drops.reduce(0) { $0 + $1.count } == UInt64(count), "\(sink)")
            #expect(drops.reduce(0) { $0 + ($1.levels[.info] ?? 0) } == UInt64(count), "\(sink)")
        }
        #expect(read.drops.filter { $0.sink == "file:app.log" }.map(\.sequences) == [3...3])
        #expect(read.drops.filter { $0.sink == "journald" }.compactMap { $0.sequences?.lowerBound }.min() == 100)
        let removed = read.removals.filter { $0.run == RingID(7) }
        func numbers(_ log: String) -> [ClosedRange<UInt64>] {
            removed.filter { $0.file.hasPrefix(log) }.compactMap { removal in
                removal.first.flatMap { first in removal.last.map { first...$0 } }
            }
        }
        #expect(numbers("app") == [1...30, 41...50])
        #expect(numbers("other") == [31...40])
        #expect(read.removals.contains { $0.run == .none && $0.first == nil })
    }

    @Test func `it is shortened, and keeps the newest entries of the runs that the index names`() throws {
        try directory.append(indexed(7), to: "index")
        let line = drop(7).text.utf8.count
        let many = Int(LedgerFile.limit) / line
        try file.append([end(7, records: 1)] + (0..<many).map { drop($0 % 2 == 0 ? 7 : 8, count: UInt64($0)) })
        try file.append([end(7, records: 2)])
        try file.append([end(7, records: 3)])
        let entries = try file.entries().compactMap { $0 }
        #expect(directory.size("ledger") <= Int64(LedgerFile.kept) + 200)
        #expect(entries.suffix(2) == [end(7, records: 2), end(7, records: 3)])
        #expect(entries.allSatisfy { $0.run == RingID(7) })
        #expect(entries.contains(drop(7, count: UInt64((many - 1) / 2 * 2))))
        #expect(!directory.names.contains("ledger.tmp"))
    }
}
