#if Store
import Glibc
import GRDB
import Taffrail
import TaffrailTestSupport
import TaffrailText
import Testing

@testable import TaffrailStore

/// Stores on file systems where memory-mapped files do not keep their space on a full disk.
@Suite(.heavy, .serialized, .mayBlock) struct RollbackJournalTests {
    private static let points = (0..<1_000).map { index in
        TrackPoint(
            timestamp: Timestamp(nanoseconds: 1_767_623_400_000_000_000 + Int64(index) * 1_000_000_000),
            lat: 55 + Double(index) * 1e-4, lon: 12, device: "ferry", session: "a")
    }

    private static let btrfs = LoopDisk.Kind.possible.filter(\.isBtrfs)

    /// The format of a database's journal, according to its header.
    private func isWriteAhead(_ directory: TemporaryDirectory) throws -> Bool {
        try Array(directory.bytes("track.sqlite")[18..<20]) == [2, 2]
    }

    /// Copies a store with the files next to it.
    private func copy(_ from: TemporaryDirectory, to directory: TemporaryDirectory) throws {
        for name in from.names where name.hasPrefix("track.sqlite") && !name.hasSuffix("-lock") {
            try directory.write(from.bytes(name), to: name)
        }
    }

    @Test(arguments: LoopDisk.Kind.possible)
    func `stores on a full disk keep the program running, and continue once there is space`(
        _ kind: LoopDisk.Kind
    ) throws {
        let (disk, outside) = (try LoopDisk(kind), TemporaryDirectory())
        let input = try #require(PipeEnds())
        defer { close(input.writing) }
        // Fewer than make the pipeline detach a failing sink, which is at half of the queue.
        let few = Array(repeating: ["locate:20", "log:20"], count: 5).flatMap { $0 }
        let subject = try Program.subject(
            ["steps-with", disk.directory.file("app.log"), "log-store,location-store"] + few + ["drain", "read"] + few
                + ["read"] + few + ["drain", "shutdown"],
            input: input.reading, errors: outside.file("errors"))
        close(input.reading)
        try #require(subject.readLine() == "drain true", "\(outside.text("errors"))")
        try disk.fill()
        #expect(write(input.writing, "\n", 1) == 1)
        // Both stores have tried to write to the full disk.
        #expect(
            waited {
                let errors = outside.text("errors")
                return !subject.isRunning || errors.contains("logs.sqlite") && errors.contains("track.sqlite")
            })
        #expect(subject.isRunning, "\(outside.text("errors"))")
        try disk.free()
        #expect(write(input.writing, "\n", 1) == 1)
        #expect(subject.readToEnd() == "drain true\nshutdown true", "\(outside.text("errors"))")
        #expect(subject.end() == .exited(0))
        #expect(try StoreReader(disk.directory.file("track.sqlite")).count() == 300)
        let records = try Program.run(
            [disk.directory.file("logs.sqlite"), "PRAGMA integrity_check; SELECT count(*) FROM record"], of: "sqlite3")
        #expect(records.output == "ok\n600\n", "\(records)")
    }

    @Test(arguments: btrfs)
    func `a store that moves between disks changes its journal`(_ kind: LoopDisk.Kind) throws {
        let (disk, memory) = (try LoopDisk(kind), TemporaryDirectory())
        let first = TrackStore.at(memory.file("track.sqlite"))
        try first.save(Array(Self.points[..<500]))
        try copy(memory, to: disk.directory)
        #expect(try isWriteAhead(disk.directory))
        let second = TrackStore.at(disk.directory.file("track.sqlite"))
        try second.save(Array(Self.points[500...]))
        #expect(try !isWriteAhead(disk.directory))
        #expect(!disk.directory.names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
        try second.flush()
        try second.close()
        try first.close()
        try copy(disk.directory, to: memory)
        try first.open()
        #expect(try isWriteAhead(memory))
        #expect(try StoreReader(memory.file("track.sqlite")).points(.newest(2_000)).count == 1_000)
        try first.close()
    }

    @Test(arguments: btrfs)
    func `a store whose log is being read keeps it until it is opened again`(_ kind: LoopDisk.Kind) throws {
        let (disk, memory) = (try LoopDisk(kind), TemporaryDirectory())
        let first = TrackStore.at(memory.file("track.sqlite"))
        try first.save(Array(Self.points[..<500]))
        try first.close()
        try copy(memory, to: disk.directory)
        let store = TrackStore.at(disk.directory.file("track.sqlite"))
        do {
            let reader = try StoreReader(store.path)
            #expect(try reader.count() == 500)
            try store.save(Array(Self.points[500...]))
            #expect(try isWriteAhead(disk.directory) && reader.count() == 1_000)
            try store.flush()
            try store.close()
        }
        try store.open()
        #expect(try !isWriteAhead(disk.directory) && StoreReader(store.path).count() == 1_000)
        try store.close()
    }

    @Test(arguments: btrfs)
    func `a commit waits for a reader, and is tried again`(_ kind: LoopDisk.Kind) throws {
        let disk = try LoopDisk(kind)
        let store = TrackStore.at(disk.directory.file("track.sqlite"))
        try store.save(Array(Self.points[..<500]))
        let reader = try DatabaseQueue(path: store.path)
        try reader.read { db in
            let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM point")
            let error = #expect(throws: StoreError.self) { try store.save(Array(Self.points[500...])) }
            #expect(error?.kind == .busy)
            let after = try Int.fetchOne(db, sql: "SELECT count(*) FROM point")
            #expect(before == 500 && after == 500)
        }
        try store.save(Array(Self.points[500...]))
        #expect(try StoreReader(store.path).count() == 1_000)
        try store.close()
    }

    @Test(.enabled(if: TracedCalls.compiler != nil, "no C compiler is installed"), arguments: btrfs)
    func `a commit synchronizes the database and the journal`(_ kind: LoopDisk.Kind) throws {
        let (disk, outside) = (try LoopDisk(kind), TemporaryDirectory())
        let subject = try Program.subject(
            [
                "steps-with", disk.directory.file("app.log"), "location-store", "locate:100", "drain", "locate:100",
                "drain", "flush", "shutdown",
            ],
            environment: [
                "LD_PRELOAD": try TracedCalls.library(in: outside), "TRACE_CALLS": outside.file("trace"),
            ], errors: outside.file("errors"))
        #expect(subject.readToEnd() == "drain true\ndrain true\nflush true\nshutdown true")
        #expect(subject.end() == .exited(0), "\(outside.text("errors"))")
        let trace = TracedCalls(outside.text("trace"))
        let store = disk.directory.file("track.sqlite")
        #expect(trace.calls.contains { $0.name == "write" && $0.path == store })
        let files = [store, store + "-journal"]
        let unsynchronized = trace.unsynchronized(under: disk.directory.path) { files.contains(String($0)) }
        #expect(unsynchronized == [[], [], [], []])
    }

    @Test func `readers roll back the transaction of a program that was killed`() throws {
        let directory = TemporaryDirectory()
        let store = TrackStore.at(directory.file("track.sqlite"))
        try store.save(Self.points)
        try store.close()
        #expect(try Program.run([store.path, "PRAGMA journal_mode = TRUNCATE"], of: "sqlite3").output == "truncate\n")
        let early = try StoreReader(store.path)
        #expect(try early.count() == 1_000)
        for isEarly in [true, false] {
            // Pages are in the database whose former contents only the journal has.
            let killed = try Program.run(
                [store.path], of: "sqlite3",
                input: """
                    PRAGMA journal_mode = TRUNCATE; PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM point;
                    .shell kill -9 $PPID

                    """)
            #expect(killed.code == 128 + SIGKILL, "\(killed)")
            try #require(directory.size("track.sqlite-journal") > 10_000)
            let reader = isEarly ? early : try StoreReader(store.path)
            #expect(try reader.points(.newest(2_000)).count == 1_000)
            #expect(directory.size("track.sqlite-journal") <= 0)
        }
    }
}
#endif
